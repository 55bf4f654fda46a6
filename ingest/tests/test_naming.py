"""What devices are called where there is little room."""

from __future__ import annotations

import pytest

from ioledger.judgement.naming import MOST_CHARACTERS, Described, long_names, short_names

GIGABYTE, TERABYTE = 10**9, 10**12
REPOSITORY = "https://example.org/who/ZNS-Study"


UNKNOWN = Described("NVMe SSD", "NVMe SSD", None, None, None, None, "2026-11-who-study", None, "a-device")


@pytest.mark.parametrize(
    ("vendor", "model", "capacity_bytes", "name"),
    [
        ("Samsung", "980 PRO 1TB", TERABYTE, "Samsung 980 PRO 1 TB"),
        ("Lexar", "NM790", 2048408248320, "Lexar NM790 2 TB"),
        ("Samsung", "870", 250059350016, "Samsung 870 250 GB"),
        ("Hitachi", "Hitachi Travelstar 5K160", 80 * GIGABYTE, "Travelstar 5K160 80 GB"),
        ("Western Digital", "BLACK SN770", TERABYTE, "WD BLACK SN770 1 TB"),
        ("Western Digital", "WD740GD", 74 * GIGABYTE, "WD740GD 74 GB"),
        ("Intel", "D3-S4610 SSDSC2KG48", 480 * GIGABYTE, "Intel D3-S4610 480 GB"),
        ("Intel", "Optane SSD DC P5800X", 800 * GIGABYTE, "Intel Optane P5800X 800 GB"),
        ("Samsung", "970 EVO Plus", 250 * GIGABYTE, "970 EVO Plus 250 GB"),
        (None, "1.44 MB floppy", 1474560, "1.44 MB floppy"),
        (None, None, None, "NVMe SSD, who-study"),
    ],
)
def test_a_short_name_is_maker_model_and_capacity_as_far_as_they_fit(
    vendor: str | None, model: str | None, capacity_bytes: int | None, name: str
) -> None:
    """Order codes, general words and the maker give way, in this order, before a word of the model does."""
    device = UNKNOWN._replace(vendor=vendor, model=model, capacity_bytes=capacity_bytes)
    assert short_names(device)[0] == name


def test_a_device_whose_model_nobody_states_is_named_after_its_source() -> None:
    """Another Optane SSD of unknown model would be another device."""
    optane = UNKNOWN._replace(vendor="Intel", model="Optane SSD (model not stated)", repository=REPOSITORY)
    zoned = UNKNOWN._replace(model="NVMe ZNS SSD, zoned namespace (model not stated)", repository=REPOSITORY)
    assert short_names(optane)[0] == "Intel Optane, ZNS-Study"
    assert short_names(zoned)[0] == "NVMe ZNS SSD, zoned"


@pytest.mark.parametrize("firmware", [None, "F1", "A-FIRMWARE-OF-TWENTY-NINE-CHAR"])
@pytest.mark.parametrize("model", [None, "M", "AB12" * 9, "A model of many words and of no use (series not stated)"])
@pytest.mark.parametrize("device_id", ["d", "an-id-that-is-much-longer-than-a-short-name"])
def test_every_offered_short_name_fits_and_consists_of_whole_words(
    model: str | None, firmware: str | None, device_id: str
) -> None:
    """The last one is made of the device's id alone, so there is always one that nobody else has."""
    device = UNKNOWN._replace(
        vendor="Maker", model=model, firmware=firmware, repository=REPOSITORY, device_id=device_id
    )
    names, others = short_names(device), short_names(device._replace(device_id=f"{device_id}-2"))
    assert all(len(name) <= MOST_CHARACTERS for name in names)
    assert names[-1] not in others
    told = f"Maker NVMe SSD ZNS-Study {model} {firmware} {device_id}".replace("(", " ").split()
    made = [word.rstrip(",") for name in names[:-1] for word in name.split(" ")]
    assert [word for word in made if word not in told and not any(each.startswith(f"{word}-") for each in told)] == []


def test_devices_of_equal_words_are_told_apart_by_firmware_then_source_then_their_own_id() -> None:
    """A pseudonym begins with the name of its source, which is left out."""
    device = UNKNOWN._replace(
        firmware="F1",
        submission_id="2026-11-who-nvmebenchmarks",
        repository=REPOSITORY,
        device_id="nvmebenchmarks-nvme-a",
    )
    assert long_names(device) == [
        "NVMe SSD", "NVMe SSD, firmware F1", "NVMe SSD, ZNS-Study", "NVMe SSD, nvme-a",
        "NVMe SSD, nvmebenchmarks-nvme-a",
    ]  # fmt: skip
