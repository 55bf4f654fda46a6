"""What devices are called where there is little room."""

from __future__ import annotations

import pytest

from ioledger.comparison.device_names import MAX_CHARACTERS, Described, long_name, short_name

GIGABYTE, TERABYTE = 10**9, 10**12


UNKNOWN = Described("NVMe SSD", "NVMe SSD", None, None, None, None, "2026-11-who-study", "a-device")


@pytest.mark.parametrize(
    ("vendor", "model", "capacity_bytes", "name"),
    [
        ("Samsung", "980 PRO 1TB", TERABYTE, "Samsung 980 PRO 1 TB"),
        ("Lexar", "NM790", 2048408248320, "Lexar NM790 2 TB"),
        ("Samsung", "870", 250059350016, "Samsung 870 250 GB"),
        ("Hitachi", "Hitachi Travelstar 5K160", 80 * GIGABYTE, "Hitachi Travelstar 5K160 80 GB"),
        ("Western Digital", "BLACK SN770", TERABYTE, "WD BLACK SN770 1 TB"),
        ("Samsung", "MZVLB512HAJQ-000L7", 512 * GIGABYTE, "Samsung MZVLB512HAJQ-000L7"),
        (None, "MTFDKBA512TFH", 512 * GIGABYTE, "Micron MTFDKBA512TFH 512 GB"),
        ("Western Digital", "WD740GD", 74 * GIGABYTE, "WD740GD 74 GB"),
        ("Intel", "D3-S4610 SSDSC2KG48", 480 * GIGABYTE, "Intel D3-S4610 480 GB"),
        ("Intel", "Optane SSD DC P5800X", 800 * GIGABYTE, "Intel Optane P5800X 800 GB"),
        ("Samsung", "970 EVO Plus", 250 * GIGABYTE, "Samsung 970 EVO Plus 250 GB"),
        ("Lenovo", "LENSE20512GMSP34MEAT2TA", 512 * GIGABYTE, "Lenovo LENSE20512GMSP34MEAT2TA"),
        (None, "1.44 MB floppy", 1474560, "1.44 MB floppy"),
        (None, None, None, "NVMe SSD, a-device"),
    ],
)
def test_a_short_name_is_maker_model_and_capacity_as_far_as_they_fit(
    vendor: str | None, model: str | None, capacity_bytes: int | None, name: str
) -> None:
    """Order codes, general words and the capacity give way, in this order; the maker stays, also of a part number."""
    device = UNKNOWN._replace(vendor=vendor, model=model, capacity_bytes=capacity_bytes)
    assert short_name(device._replace(words=f"{vendor} {model}" if model else "NVMe SSD")) == name


def test_a_device_whose_model_nobody_states_has_the_pseudonym_of_its_source() -> None:
    """Another one of unknown model would be another device; what the words say already is not said again."""
    virtual = UNKNOWN._replace(words="virtio virtual disk 275 GB", medium="virtual disk", device_id="virtio-blk-256gib")
    assert long_name(virtual) == "virtio virtual disk 275 GB, virtio-blk-256gib"
    source = UNKNOWN._replace(submission_id="2026-11-who-nvmebenchmarks", device_id="nvmebenchmarks-nvme-a")
    assert (long_name(source), short_name(source)) == ("NVMe SSD, nvme-a", "NVMe SSD, nvme-a")
    optane = UNKNOWN._replace(words="Intel Optane SSD (model not stated)", device_id="optane")
    assert long_name(optane) == "Intel Optane SSD (model not stated)"


def test_a_firmware_in_the_id_of_a_device_is_part_of_its_name() -> None:
    """Two firmware versions of one model are two devices then; the name of each is its own."""
    device = UNKNOWN._replace(
        words="SK hynix Phoenix 512 GB", vendor="SK hynix", model="Phoenix", capacity_bytes=512 * GIGABYTE,
        firmware="80004E00", device_id="sk-hynix-phoenix-80004e00",
    )  # fmt: skip
    assert long_name(device) == "SK hynix Phoenix 512 GB, firmware 80004E00"
    assert short_name(device) == "SK hynix Phoenix, 80004E00"


@pytest.mark.parametrize("firmware", [None, "F1", "A-FIRMWARE-OF-TWENTY-NINE-CHAR"])
@pytest.mark.parametrize("model", [None, "M", "AB12" * 9, "A model of many words and of no use (series not stated)"])
@pytest.mark.parametrize("device_id", ["d", "an-id-that-is-much-longer-than-a-short-name"])
def test_every_short_name_fits(model: str | None, firmware: str | None, device_id: str) -> None:
    """Whatever is known of the device."""
    device = UNKNOWN._replace(vendor="Maker", model=model, firmware=firmware, device_id=device_id)
    assert 0 < len(short_name(device)) <= MAX_CHARACTERS
