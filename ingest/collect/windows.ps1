# Reads from a Windows machine what a manifest must say, and writes it as JSON, which is YAML too.
# Nothing is sent anywhere. No serial number, host name or hardware address is read.
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

function Stated($Value, [string]$Reason) {
  if ($null -eq $Value -or "$Value".Trim() -eq "") { return [ordered]@{ unknown = $Reason } }
  if ($Value -is [string]) { $Value = $Value.Trim() }
  return [ordered]@{ value = $Value; how_known = "collected" }
}
function Unknown([string]$Reason) { return [ordered]@{ unknown = $Reason } }

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
$today = (Get-Date).ToUniversalTime().ToString("yyyy-MM-dd")

$system = [ordered]@{
  system_vendor = Stated $computer.Manufacturer "Win32_ComputerSystem does not show it"
  system_model = Stated $computer.Model "Win32_ComputerSystem does not show it"
  bios_version = Stated $bios.SMBIOSBIOSVersion "Win32_BIOS does not show it"
  cpu_model = Stated $processors[0].Name "Win32_Processor does not show it"
  cpu_socket_count = Stated $processors.Count "Win32_Processor does not show it"
  cpu_core_count = Stated ([int]($processors | Measure-Object NumberOfCores -Sum).Sum) "Win32_Processor does not show it"
  cpu_thread_count = Stated ([int]($processors | Measure-Object NumberOfLogicalProcessors -Sum).Sum) "Win32_Processor does not show it"
  cpu_nominal_hertz = Stated ([long]$processors[0].MaxClockSpeed * 1000000) "Win32_Processor does not show it"
  cpu_power_state = Unknown "Windows shows no governor, turbo or C-state setting; the power plan is stated below"
  cpu_microcode = Stated $microcode "the registry does not show it"
  memory_bytes = Stated ([long]$computer.TotalPhysicalMemory) "Win32_ComputerSystem does not show it"
  bmc_firmware = Unknown "Windows shows no management controller"
  virtualisation = Stated $(if ($computer.HypervisorPresent) { "a hypervisor is present: $($computer.Model)" } else { "none" }) "not shown"
}
$device = [ordered]@{
  vendor = Stated $disk.Manufacturer "the drive names no maker of its own"
  model = Stated $disk.FriendlyName "Get-PhysicalDisk does not show it"
  firmware = Stated $disk.FirmwareVersion "Get-PhysicalDisk does not show it"
  media_class = Stated $class "bus and media type do not tell the class"
  capacity_bytes = Stated ([long]$disk.Size) "Get-PhysicalDisk does not show it"
  interface_protocol = Stated $bus "Get-PhysicalDisk does not show it"
  interface_generation = Stated $(if ($maxSpeed) { "PCIe generation $maxSpeed" }) "the device shows no PCI link"
  form_factor = Unknown "Windows does not show it"
  link_negotiated = Stated $(if ($linkSpeed) { "PCIe generation $linkSpeed, $linkWidth lanes" }) "the device shows no PCI link"
  lba_format = Stated $(if ($disk.LogicalSectorSize) { "$($disk.LogicalSectorSize) bytes logical and $($disk.PhysicalSectorSize) bytes physical" }) "not shown"
  write_cache = Stated $(if ($null -ne $cache.IsDeviceCacheEnabled) { if ($cache.IsDeviceCacheEnabled) { "enabled" } else { "disabled" } }) "Get-StorageAdvancedProperty does not show it"
  power_loss_protection = Stated $(if ($null -ne $cache.IsPowerProtected) { if ($cache.IsPowerProtected) { "yes" } else { "no" } }) "Get-StorageAdvancedProperty does not show it"
}
$device.throttle_temperature_kelvin = Unknown "Windows does not show it"
$device.highest_temperature_kelvin = Stated $(if ($counter.Temperature) { $counter.Temperature + 273.15 }) "Get-StorageReliabilityCounter does not show it"
if ($class -eq "hdd") { $device.rotation_hertz = Stated $rotation "Get-PhysicalDisk does not show it" }
$storage = [ordered]@{
  storage_topology = Stated "single" ""
  drives = @([ordered]@{ device = $name; count = 1 })
  filesystem = Stated $(if ($Drive) { $volume.FileSystem } else { "raw" }) "Get-Volume does not show it"
}
if ($volume) {
  $storage.allocation_unit_bytes = Stated ([long]$volume.AllocationUnitSize) "Get-Volume does not show it"
  $storage.mount_options = Unknown "Windows mounts without options"
}
$software = [ordered]@{
  operating_system = Stated $os.Caption "Win32_OperatingSystem does not show it"
  kernel = Stated $os.Version "Win32_OperatingSystem does not show it"
  driver_name = Stated $driver "the controller names no service"
  driver_version = Stated $driverVersion "the controller names no driver version"
  io_scheduler = Unknown "Windows has none to choose"
  power_plan = Stated $plan "powercfg does not show it"
  tool = Unknown "state the tool that measured"
  tool_version = Unknown "state the version of the tool that measured"
}
$you = "only you know: please state it"
$results = "read from the results by ioledger add"
$method = [ordered]@{}
foreach ($field in "preconditioning", "preconditioning_class", "steady_state", "steady_state_class", "measurement_area", "file_written", "data_pattern") { $method[$field] = Unknown $you }
foreach ($field in "cache_bypass", "run_time_seconds", "process_count", "repetition_count", "kept_run", "latency_kind", "unit_base", "load_axis") {
  $method[$field] = Unknown $results
}
$manifest = [ordered]@{
  title = "$($disk.FriendlyName), measured on $today"
  submitted_by = $SubmittedBy
  submitted_on = $today
  tested_on = $today
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
