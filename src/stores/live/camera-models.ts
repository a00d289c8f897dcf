import { computed } from 'nanostores'
import { getDeviceModels, getSupportedDevices, type DeviceModel } from '../../../contract/cameras/device-models.ts'
import { request } from '../../api/api-client.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { STORAGE_KEYS } from '../storage/storage-keys.ts'

/** Name of the group that contains the camera models in the response of `getDeviceModels` (DEVICE-18). */
const MODEL_GROUP = 'Cameras'
/** Default renditions for a camera whose model is unknown (OPEN-52). */
export const DEFAULT_RENDITIONS: readonly string[] = ['SD', 'HD']
const SUPPORT_CHANNEL = 'web'

const isReadonlyArray = <T>(value: unknown): value is readonly T[] => Array.isArray(value)
/** Camera models known to the provider, persisted across visits; undefined until loaded. */
export const $models = persistentJson<readonly DeviceModel[] | undefined>(
  STORAGE_KEYS.models,
  undefined,
  isReadonlyArray<DeviceModel>,
)
/**
 * Ids of the models that this portal supports (get_support_device_with_category), persisted across visits; undefined if
 * unknown.
 */
export const $modelIds = persistentJson<readonly string[] | undefined>(
  STORAGE_KEYS.modelIds,
  undefined,
  isReadonlyArray<string>,
)
/** Names of the supported models; null until both lists are known. */
export const $supportedModelNames = computed([$models, $modelIds], (models, ids) =>
  models && ids ? models.filter(({ device_model }) => ids.includes(device_model)).map(({ name }) => name) : null,
)

/** Loads the camera models. A failure empties the store and is only logged, not shown to the user (DEVICE-20). */
export async function loadCameraModels(): Promise<void> {
  const response = await request(getDeviceModels, {})
  if (!response.ok) console.debug('The camera models failed to load.', response.code)
  const groups = response.ok ? response.data : []
  $models.set(groups.find(({ name }) => name === MODEL_GROUP)?.devices ?? [])
}

/** Loads the camera models and the ids of the supported models. On failure, the previously loaded ids stay. */
export async function loadSupportedModels(): Promise<void> {
  const [response] = await Promise.all([request(getSupportedDevices, { channel: SUPPORT_CHANNEL }), loadCameraModels()])
  if (response.ok) $modelIds.set(response.data.flatMap(({ device_models }) => device_models))
}
