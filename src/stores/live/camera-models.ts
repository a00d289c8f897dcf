import { computed } from 'nanostores'
import { deviceModels, supportDevices, type DeviceModel } from '../../../contract/cameras/device-models.ts'
import { request } from '../../api/api-client.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

/** Group of the platform's device list that supplies the models (DEVICE-18). */
const GROUP = 'Cameras'
/** Default renditions for a camera whose model is unknown (OPEN-52). */
export const USUAL_RESOLUTIONS: readonly string[] = ['SD', 'HD']
const CHANNEL = 'web'

const isList = <T>(value: unknown): value is readonly T[] => Array.isArray(value)
/** Camera models known to the provider, persisted across visits; undefined until loaded. */
export const $models = keptJson<readonly DeviceModel[] | undefined>(KEYS.models, undefined, isList<DeviceModel>)
/**
 * Ids of the models that this portal supports (get_support_device_with_category), persisted across visits; undefined if
 * unknown.
 */
export const $modelIds = keptJson<readonly string[] | undefined>(KEYS.modelIds, undefined, isList<string>)
/** Names of the supported models; null if unknown. */
export const $supported = computed([$models, $modelIds], (models, ids) =>
  models && ids ? models.filter(({ device_model }) => ids.includes(device_model)).map(({ name }) => name) : null,
)

/** Loads the camera models. A failure empties the store and is only logged, not shown to the user (DEVICE-20). */
export async function loadModels(): Promise<void> {
  const answer = await request(deviceModels, {})
  if (!answer.ok) console.debug('The models of cameras were not loaded.', answer.code)
  const groups = answer.ok ? answer.data : []
  $models.set(groups.find(({ name }) => name === GROUP)?.devices ?? [])
}

/** Loads the ids of the supported models, and the models. On failure, the ids loaded before stay. */
export async function loadSupported(): Promise<void> {
  const [answer] = await Promise.all([request(supportDevices, { channel: CHANNEL }), loadModels()])
  if (answer.ok) $modelIds.set(answer.data.flatMap(({ device_models }) => device_models))
}
