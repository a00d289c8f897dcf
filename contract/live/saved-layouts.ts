import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope } from '../wire/envelope.ts'

/** Maximum number of saved layouts per account. */
export const LAYOUTS_MAX = 12
export const LAYOUT_NAME_MAX = 40

const cameras = v.pipe(v.array(deviceId), v.maxLength(99))

export const savedLayout = v.object({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(LAYOUT_NAME_MAX)),
  mode: v.picklist(['automatic', 'focus', 'grid']),
  order: cameras,
  /** Cameras that the layout shows. Empty: all cameras. */
  shown: cameras,
})
export type SavedLayout = v.InferOutput<typeof savedLayout>

const haveUniqueNames = (all: unknown): boolean =>
  new Set((all as SavedLayout[]).map(({ name }) => name)).size === (all as SavedLayout[]).length

export const savedLayouts = v.pipe(
  v.array(savedLayout),
  v.maxLength(LAYOUTS_MAX),
  v.custom<SavedLayout[]>(haveUniqueNames, 'Two layouts have the same name.'),
)

const layoutsResponse = envelope(200, v.object({ layouts: v.array(savedLayout) }))

/** Returns the account's saved layouts in their stored order. */
export const getLiveLayouts = call('EXT-live-layouts', 'GET', '/extension/live-layouts', 'extension', {
  request: v.object({}),
  response: layoutsResponse,
})

export const setLiveLayouts = call(
  'EXT-set-live-layouts',
  'POST',
  '/extension/live-layouts',
  'extension',
  { request: v.object({ layouts: savedLayouts }), response: layoutsResponse },
  { nonce: true },
)
