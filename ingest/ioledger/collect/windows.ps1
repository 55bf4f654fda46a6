# Reads from a Windows machine what a manifest must say, and writes it as JSON, which is YAML too.
# It holds for runs that ended within a day: ioledger add leaves it out for others. Tool and version the results tell.
# Nothing is sent anywhere. No serial number, host name or hardware address is read, and of the machine's id only a hash.
# Use:  powershell -ExecutionPolicy Bypass -File collect.ps1 -DiskNumber 0 -Drive D -SubmittedBy "Ann" -Output manifest.yaml
# Sources: Win32_ComputerSystem, Win32_Processor, Win32_BIOS, Win32_OperatingSystem, MSFT_PhysicalDisk (MediaType 3 is a
# disk, 4 an SSD, 5 storage class memory), Get-Volume, Get-StorageAdvancedProperty, Get-StorageReliabilityCounter (degrees
# Celsius), powercfg, Get-PnpDeviceProperty, and the registry's description of the processor.
param(
  [int]$DiskNumber = 0,
  [string]$Drive = "",
  [string]$SubmittedBy = "unknown",
  [string]$Output = "manifest.yaml"
)
$ErrorActionPreference = "SilentlyContinue"

$identity = [System.Security.Principal.WindowsIdentity]::GetCurrent()
$principal = New-Object System.Security.Principal.WindowsPrincipal($identity)
$isAdministrator = $principal.IsInRole([System.Security.Principal.WindowsBuiltInRole]::Administrator)
function Stated($Value, [string]$Reason) {
  if ($null -eq $Value -or "$Value".Trim() -eq "") { return [ordered]@{ unknown = $Reason } }
  if ($Value -is [ValueType] -and $Value -eq 0) { return [ordered]@{ unknown = $Reason } }  # null becomes 0 in a sum
  if ($Value -is [string]) { $Value = $Value.Trim() }
  return [ordered]@{ value = $Value; how_known = "collected" }
}
# Why a value is not known: the command is missing and was not asked, needs an administrator, or was asked and shows none.
function Why([string]$Command, [bool]$NeedsAdministrator = $false) {
  if (-not (Get-Command $Command)) { return "not asked: $Command is missing" }
  if ($NeedsAdministrator -and -not $isAdministrator) { return "not permitted: $Command needs an administrator" }
  return "$Command was asked and shows none"
}
function Unknown([string]$Reason) { return [ordered]@{ unknown = $Reason } }
function NoSuch([string]$Reason) { return [ordered]@{ none = $Reason; how_known = "collected" } }
# The key of the bench, as ioledger collect makes it on Linux: PBKDF2 (HMAC-SHA-256) of the machine's own id with the
# project's salt, where .NET has it (4.7.2 and later). What makers leave in the place of an id is none.
$shared = '(.)\1*|03000200-0400-0500-0006-000700080009|12345678-1234-5678-90ab-cddeefaabbcc|0?123456789(?:0|abcdef)?|to be filled.*|default.*|none|not .*|n/?a|system.*|base ?board.*|chassis.*|unknown|invalid|empty|uninitialized'
function BenchKey {
  $uuid = (Get-CimInstance Win32_ComputerSystemProduct).UUID
  $installation = (Get-ItemProperty "HKLM:\SOFTWARE\Microsoft\Cryptography").MachineGuid
  foreach ($id in "$uuid".Trim().ToLower(), "$installation".Trim().ToLower()) {
    $bare = $id -replace "-", ""
    if ($bare.Length -lt 6 -or $id -match "^(?:$shared)$" -or $bare -match "^(?:$shared)$") { continue }
    $salt = [System.Text.Encoding]::UTF8.GetBytes("ioledger bench")
    $algorithm = [System.Security.Cryptography.HashAlgorithmName]::SHA256
    $derived = New-Object System.Security.Cryptography.Rfc2898DeriveBytes($id, $salt, 600000, $algorithm)
    return ([System.BitConverter]::ToString($derived.GetBytes(16)) -replace "-", "").ToLower()
  }
}

$computer = Get-CimInstance Win32_ComputerSystem
$processors = @(Get-CimInstance Win32_Processor)
$bios = Get-CimInstance Win32_BIOS
$os = Get-CimInstance Win32_OperatingSystem
$disk = Get-PhysicalDisk | Where-Object { $_.DeviceId -eq "$DiskNumber" } | Select-Object -First 1
$volume = if ($Drive) { Get-Volume -DriveLetter $Drive } else { $null }
$cache = $disk | Get-StorageAdvancedProperty
$plan = (powercfg /getactivescheme) -replace ".*\((.*)\).*", '$1'
$pnp = Get-CimInstance Win32_DiskDrive | Where-Object { $_.Index -eq $DiskNumber } | Select-Object -First 1
$parent = (Get-PnpDeviceProperty -InstanceId $pnp.PNPDeviceID -KeyName DEVPKEY_Device_Parent).Data
$driver = (Get-PnpDeviceProperty -InstanceId $parent -KeyName DEVPKEY_Device_Service).Data
$driverVersion = (Get-PnpDeviceProperty -InstanceId $parent -KeyName DEVPKEY_Device_DriverVersion).Data
$linkSpeed = (Get-PnpDeviceProperty -InstanceId $parent -KeyName DEVPKEY_PciDevice_CurrentLinkSpeed).Data
$linkWidth = (Get-PnpDeviceProperty -InstanceId $parent -KeyName DEVPKEY_PciDevice_CurrentLinkWidth).Data
$maxSpeed = (Get-PnpDeviceProperty -InstanceId $parent -KeyName DEVPKEY_PciDevice_MaxLinkSpeed).Data
$counter = $disk | Get-StorageReliabilityCounter
$registry = Get-ItemProperty "HKLM:\HARDWARE\DESCRIPTION\System\CentralProcessor\0"
$revision = $registry."Update Revision"
$microcode = if ($revision.Count -ge 8) { "0x{0:x}" -f [System.BitConverter]::ToUInt32($revision, 4) } else { $null }

$bus = "$($disk.BusType)"
$media = "$($disk.MediaType)"
$class = switch -Regex ("$bus $media") {
  "^NVMe" { "ssd_nvme"; break }
  "HDD$" { "hdd"; break }
  "^SATA SSD" { "ssd_sata"; break }
  "^SAS SSD" { "ssd_sas"; break }
  default { $null }
}
if ("$($disk.FriendlyName)" -match "Optane") { $class = "ssd_optane" }
if ($computer.HypervisorPresent -and "$($disk.FriendlyName)" -match "Virtual|QEMU|VMware|Msft") { $class = "virtual" }
$rotation = if ($disk.SpindleSpeed -gt 0 -and $disk.SpindleSpeed -lt 4294967295) { $disk.SpindleSpeed / 60 } else { $null }
$name = ("$($disk.FriendlyName) $([math]::Round($disk.Size / 1e9))gb").ToLower() -replace "[^a-z0-9]+", "-"
$name = $name.Trim("-")
# A virtual disk has the name of its hypervisor's maker: only its bench and its number there tell it from others.
$bench = BenchKey
$mark = if ($bench) { "$($bench.Substring(0, 8))-$DiskNumber" } else { [guid]::NewGuid().ToString("N").Substring(0, 8) }
if ($class -eq "virtual") { $name = "$name-$mark" }
# Of another culture the calendar and the signs between hours and minutes would be others.
function InUtc($time, $form) { $time.ToUniversalTime().ToString($form, [cultureinfo]::InvariantCulture) }
$today = InUtc (Get-Date) "yyyy-MM-dd"

$system = [ordered]@{
  system_vendor = Stated $computer.Manufacturer (Why "Get-CimInstance")
  system_model = Stated $computer.Model (Why "Get-CimInstance")
  bios_version = Stated $bios.SMBIOSBIOSVersion (Why "Get-CimInstance")
  cpu_model = Stated $processors[0].Name (Why "Get-CimInstance")
  cpu_socket_count = Stated $processors.Count (Why "Get-CimInstance")
  cpu_core_count = Stated ([int]($processors | Measure-Object NumberOfCores -Sum).Sum) (Why "Get-CimInstance")
  cpu_thread_count = Stated ([int]($processors | Measure-Object NumberOfLogicalProcessors -Sum).Sum) (Why "Get-CimInstance")
  cpu_nominal_hertz = Stated ([long]$processors[0].MaxClockSpeed * 1000000) (Why "Get-CimInstance")
  cpu_power_state = Unknown "Windows shows no governor, turbo or C-state setting; the power plan is stated below"
  cpu_microcode = Stated $microcode "the registry was asked and shows none"
  memory_bytes = Stated ([long]$computer.TotalPhysicalMemory) (Why "Get-CimInstance")
  bmc_firmware = Unknown "not asked: this script asks no management controller"
  virtualisation = Stated $(if ($null -eq $computer) { $null } elseif ($computer.HypervisorPresent) { "a hypervisor is present: $($computer.Model)" } else { "none" }) (Why "Get-CimInstance")
  bench_key = Stated $bench "the machine shows no id of its own, or .NET is too old to hash it"
  booted_at = Stated $(if ($os.LastBootUpTime) { InUtc $os.LastBootUpTime "yyyy-MM-ddTHH:mm:ssZ" }) (Why "Get-CimInstance")
}
$device = [ordered]@{
  vendor = Stated $disk.Manufacturer "the drive names no maker of its own"
  model = Stated $disk.FriendlyName (Why "Get-PhysicalDisk")
  firmware = Stated $disk.FirmwareVersion (Why "Get-PhysicalDisk")
  media_class = Stated $class "bus and media type do not tell the class"
  capacity_bytes = Stated ([long]$disk.Size) (Why "Get-PhysicalDisk")
  interface_protocol = Stated $bus (Why "Get-PhysicalDisk")
  interface_generation = Stated $(if ($maxSpeed) { "PCIe generation $maxSpeed" }) (Why "Get-PnpDeviceProperty")
  form_factor = Unknown "not asked: Windows has no interface for it that this script knows"
  link_negotiated = Stated $(if ($linkSpeed) { "PCIe generation $linkSpeed, $linkWidth lanes" }) (Why "Get-PnpDeviceProperty")
  lba_format = Stated $(if ($disk.LogicalSectorSize) { "$($disk.LogicalSectorSize) bytes logical and $($disk.PhysicalSectorSize) bytes physical" }) "not shown"
  write_cache = Stated $(if ($null -ne $cache.IsDeviceCacheEnabled) { if ($cache.IsDeviceCacheEnabled) { "enabled" } else { "disabled" } }) (Why "Get-StorageAdvancedProperty" $true)
  power_loss_protection = Stated $(if ($null -ne $cache.IsPowerProtected) { if ($cache.IsPowerProtected) { "yes" } else { "no" } }) (Why "Get-StorageAdvancedProperty" $true)
}
$device.throttle_temperature_kelvin = Unknown "not asked: Windows has no interface for it that this script knows"
$device.highest_temperature_kelvin = Stated $(if ($counter.Temperature) { $counter.Temperature + 273.15 }) (Why "Get-StorageReliabilityCounter" $true)
$device.overprovisioning = Unknown "only you know: please state it"
if ($class -eq "virtual") { $device.overprovisioning = NoSuch "a virtual disk has no spare area of its own" }
if ($class -eq "hdd") { $device.overprovisioning = NoSuch "a rotating disk has none" }
if ($class -eq "hdd") { $device.rotation_hertz = Stated $rotation (Why "Get-PhysicalDisk") }
$storage = [ordered]@{
  storage_topology = Stated "single" ""
  drives = @([ordered]@{ device = $name; count = 1 })
  filesystem = Stated $(if ($Drive) { $volume.FileSystem } else { "raw" }) (Why "Get-Volume")
}
if ($volume) {
  $storage.allocation_unit_bytes = Stated ([long]$volume.AllocationUnitSize) (Why "Get-Volume")
  $storage.mount_options = NoSuch "Windows mounts without options"
} elseif (-not $Drive) {
  $storage.allocation_unit_bytes = NoSuch "the device was measured without a file system"
  $storage.mount_options = NoSuch "the device was measured without a file system"
}
if ($bus -eq "NVMe") {
  $storage.controller_model = NoSuch "the drive is attached by NVMe, to the bus itself"
  $storage.controller_firmware = NoSuch "the drive is attached by NVMe, to the bus itself"
  $storage.controller_cache_policy = NoSuch "the drive is attached by NVMe, to the bus itself"
}
$results = "read from the results by ioledger add"
$software = [ordered]@{
  operating_system = Stated $os.Caption (Why "Get-CimInstance")
  kernel = Stated $os.Version (Why "Get-CimInstance")
  driver_name = Stated $driver (Why "Get-PnpDeviceProperty")
  driver_version = Stated $driverVersion (Why "Get-PnpDeviceProperty")
  io_scheduler = NoSuch "Windows has none to choose"
  power_plan = Stated $plan (Why "powercfg")
  tool = Unknown $results
  tool_version = Unknown $results
}
$you = "only you know: please state it"
$either = "ioledger add reads it from the results; state it where they do not tell it"
$method = [ordered]@{}
foreach ($field in "steady_state_class") { $method[$field] = Unknown $you }
foreach ($field in "preconditioning_class", "measurement_area_bytes", "file_written", "data_pattern") { $method[$field] = Unknown $either }
foreach ($field in "preconditioning", "steady_state", "measurement_area", "cache_bypass", "run_time_seconds", "process_count", "repetition_count", "kept_run", "latency_kind", "unit_base", "load_axis") {
  $method[$field] = Unknown $results
}
$manifest = [ordered]@{
  edition = 1
  title = "$($disk.FriendlyName)"
  submitted_by = $SubmittedBy
  submitted_on = $today
  collected_on = $today
  collector_version = "0.1.0"
  tested_on = "unknown"
  licence = "CC-BY-4.0"
  source_type = "raw_tool_output"
  interest = "unknown"
  systems = [ordered]@{ host = $system }
  devices = [ordered]@{ $name = $device }
  configurations = [ordered]@{
    $name = [ordered]@{ title = $name; system = "host"; storage = $storage; software = $software; method = $method }
  }
}
[System.IO.File]::WriteAllText((Join-Path (Get-Location) $Output), ($manifest | ConvertTo-Json -Depth 10) + "`n")
Write-Host "wrote $Output; look at every line before you submit it"
