import { computed } from 'nanostores'
import { deviceModels, supportDevices, type DeviceModel } from '../../../contract/cameras/device-models.ts'
import { request } from '../../api/api-client.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

/** The group of the platform's device list that supplies the models (DEVICE-18). */
const GROUP = 'Cameras'
/** What a camera may offer while nothing is known of its model (OPEN-52). */
export const USUAL_RESOLUTIONS: readonly string[] = ['SD', 'HD']
const CHANNEL = 'web'

const isList = <T>(value: unknown): value is readonly T[] => Array.isArray(value)
/** The models of cameras that the provider knows, kept over visits; undefined: not asked yet. */
export const $models = keptJson<readonly DeviceModel[] | undefined>(KEYS.models, undefined, isList<DeviceModel>)
/** Ids of the models that this portal can show (get_support_device_with_category), kept over visits; undefined: not known. */
export const $modelIds = keptJson<readonly string[] | undefined>(KEYS.modelIds, undefined, isList<string>)
/** Names of the models that work here; null: not known. */
export const $supported = computed([$models, $modelIds], (models, ids) =>
  models && ids ? models.filter(({ device_model }) => ids.includes(device_model)).map(({ name }) => name) : null,
)

/** A failure empties the store and is left to the log, without a word to the user (DEVICE-20). */
export async function loadModels(): Promise<void> {
  const answer = await request(deviceModels, {})
  if (!answer.ok) console.debug('The models of cameras were not loaded.', answer.code)
  const groups = answer.ok ? answer.data : []
  $models.set(groups.find(({ name }) => name === GROUP)?.devices ?? [])
}

/** Which of the models work here; what was known stays when there is no answer. */
export async function loadSupported(): Promise<void> {
  const [answer] = await Promise.all([request(supportDevices, { channel: CHANNEL }), loadModels()])
  if (answer.ok) $modelIds.set(answer.data.flatMap(({ device_models }) => device_models))
}
