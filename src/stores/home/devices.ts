import { atom } from 'nanostores'
import { type CameraState, getHomeDevices, getHomes, type WireDevice } from '../../../contract/cameras/devices.ts'
import { DEFAULT_ENVIRONMENT } from '../../../contract/environment.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { request } from '../../api/api-client.ts'
import { devicesInput } from '../../early/requests/devices.ts'
import { persistentFlag, persistentJson, persistentText } from '../storage/persistent-atoms.ts'
import { $userRole } from '../session/session.ts'
import { STORAGE_KEYS, safeLocalStorage } from '../storage/storage-keys.ts'

/**
 * Camera of the home, or camera shared with the account (DEVICE-01, OPEN-55). `state` is its last reported state;
 * `state_since` is in ms UTC.
 */
export interface Device {
  readonly device_id: string
  /** Equal to `device_id`. */
  readonly mac: string
  readonly device_model: string
  readonly nickname: string
  readonly device_order: number
  readonly user_role: number
  readonly product_type: string
  readonly iot_state: number
  readonly iot_power: number
  readonly thumbnail_url: string
  readonly firmware_version: string
  readonly p2p_providers: readonly string[]
  /** True if `p2p_providers` contains `lake`, the name of the real-time provider (DEVICE-08). */
  readonly isLake: boolean
  readonly state: CameraState | 'unknown'
  readonly state_reason: string
  readonly state_since: number
  /** False if the provider reports that no paid plan covers the camera, otherwise true. */
  readonly covered: boolean
}

/**
 * `remembered`: cameras of the last visit, or of all homes if no home is known. They are shown until the current list
 * has loaded.
 */
export type DevicesState =
  | { state: 'loading' }
  | { state: 'remembered' | 'ready'; devices: readonly Device[] }
  | { state: 'failed'; msg: string }

export const $devices = atom<DevicesState>({ state: 'loading' })
/** Id of the primary home, persisted across visits (DEVICE-11). */
export const $homeId = persistentText(STORAGE_KEYS.homeId, '')
/**
 * True if events appear in the free view: no camera that the account sees is covered (OPEN-147). False until the first
 * response; the last value is persisted across visits.
 */
export const $isFreeView = persistentFlag(STORAGE_KEYS.freeView)
/** Cameras of the last successful load, kept across visits (STORE-13). */
export const $userCameras = persistentJson<readonly Device[]>(STORAGE_KEYS.userCameras, [], isDeviceList)

/** Converts a device from the wire format to the portal's type (DEVICE-03). */
export function toDevice(wire: WireDevice): Device {
  const providers = wire.device_param?.p2p_providers ?? []
  return {
    device_id: wire.device_id,
    mac: wire.device_id,
    device_model: wire.device_model,
    nickname: wire.nickname,
    device_order: wire.device_order,
    user_role: wire.role,
    product_type: wire.device_category,
    iot_state: wire.property?.['iot-state'] ?? 0,
    iot_power: wire.property?.['iot-power'] ?? 1,
    thumbnail_url: wire.device_param?.thumbnail_url ?? '',
    firmware_version: wire.device_param?.firmware_version ?? '',
    p2p_providers: providers,
    isLake: providers.includes('lake'),
    state: wire.state ?? 'unknown',
    state_reason: wire.state_reason ?? '',
    state_since: wire.state_since ?? 0,
    covered: wire.covered ?? true,
  }
}

/**
 * Sorts devices (DEVICE-14, DEVICE-15). `sortType` 0 sorts by order, any other value by name; `sortDirection` 0
 * ascends, any other value descends.
 */
export function sortDevices(devices: readonly Device[], sortType: number, sortDirection: number): Device[] {
  const sign = sortDirection === 0 ? 1 : -1
  return devices.toSorted((a, b) => {
    const order = sortType === 0 ? a.device_order - b.device_order : a.nickname.localeCompare(b.nickname)
    return sign * order
  })
}

/**
 * Loads the primary home and stores its id. On failure, writes to the console and uses the id of the last visit
 * (DEVICE-12). Returns '' if the account owns no home; the device list then contains shared cameras (OPEN-55).
 */
export async function loadHomeId(): Promise<string> {
  const response = await request(getHomes, {})
  if (response.ok) $homeId.set(response.data.find(({ role }) => role === OWNER_ROLE)?.home_id ?? '')
  else console.debug('Home lookup failed. Using the cached ID.', response.code)
  return $homeId.get()
}

/** Returns the environment that the server wrote into the document (OPEN-57). */
export const getEnvironmentName = (): string => document.documentElement.dataset['environment'] ?? DEFAULT_ENVIRONMENT

/**
 * Returns the cameras of a home in the owner's order; all cameras that the account can see if `homeId` is ''. Throws an
 * Error with the failure's message if the call fails.
 */
export async function fetchDevices(homeId: string): Promise<Device[]> {
  const input = devicesInput({ environment: getEnvironmentName(), homeId })
  const response = await request(getHomeDevices, input)
  if (!response.ok) throw new Error(response.msg)
  const { device_list, sort_type, sort_direction } = response.data
  return sortDevices(device_list.map(toDevice), sort_type, sort_direction)
}

let loadPromise: Promise<boolean> | null = null
let followUpLoad: Promise<boolean> | null = null

/**
 * Loads the cameras into `$devices` and returns true on success. Overlapping calls share one load. Requests the devices
 * of the last known home first, and repeats the request only if the current home is another one.
 */
export function loadDevices(): Promise<boolean> {
  loadPromise ??= loadDevicesOnce().finally(() => (loadPromise = null))
  return loadPromise
}

/**
 * Reloads the cameras after a known change. If a load is in progress, its data may be old, so a second load follows.
 * Further calls share the second load.
 */
export function reloadDevices(): Promise<boolean> {
  if (!loadPromise) return loadDevices()
  followUpLoad ??= loadPromise.then(() => {
    followUpLoad = null
    return loadDevices()
  })
  return followUpLoad
}

async function loadDevicesOnce(): Promise<boolean> {
  // Checks the storage key, because the sign-in of a different user removes the key, while `$userCameras` still holds
  // the previous list.
  showProvisionalDevices(safeLocalStorage.read(STORAGE_KEYS.userCameras) === null ? [] : $userCameras.get())
  try {
    storeDevices(await fetchCurrentDevices())
    return true
  } catch (error) {
    if (!('devices' in $devices.get())) $devices.set({ state: 'failed', msg: (error as Error).message })
    return false
  }
}

async function fetchCurrentDevices(): Promise<Device[]> {
  const storedHomeId = $homeId.get()
  const home = loadHomeId()
  const speculativeFetch = fetchDevices(storedHomeId)
  speculativeFetch.then(storedHomeId ? undefined : showProvisionalDevices, () => undefined)
  const homeId = await home
  return homeId === storedHomeId ? speculativeFetch : fetchDevices(homeId)
}

function showProvisionalDevices(devices: readonly Device[]): void {
  if ($devices.get().state === 'loading' && devices.length > 0) $devices.set({ state: 'remembered', devices })
}

function storeDevices(devices: Device[]): void {
  $userCameras.set(devices)
  $isFreeView.set(!devices.some(({ covered }) => covered))
  $userRole.set(devices.some(({ user_role }) => user_role === OWNER_ROLE) || devices.length === 0 ? 'owner' : 'shared')
  $devices.set({ state: 'ready', devices })
}

export function updateCameraState(deviceId: string, state: CameraState, reason: string, since: number): void {
  const current = $devices.get()
  if (!('devices' in current)) return
  const devices = current.devices.map((device) =>
    device.device_id === deviceId ? { ...device, state, state_reason: reason, state_since: since } : device,
  )
  $devices.set({ ...current, devices })
}

function isDeviceList(value: unknown): value is readonly Device[] {
  return (
    Array.isArray(value) &&
    value.every(
      (item: Partial<Device> | null) => typeof item?.device_id === 'string' && typeof item.nickname === 'string',
    )
  )
}
