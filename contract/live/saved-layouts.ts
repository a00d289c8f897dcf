import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope } from '../wire/envelope.ts'

/** How many an account may keep, and how long their names may be. */
export const LAYOUTS_MAX = 12
export const LAYOUT_NAME_MAX = 40

const cameras = v.pipe(v.array(deviceId), v.maxLength(99))

/** An arrangement of the live page under a name. */
export const savedLayout = v.object({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(LAYOUT_NAME_MAX)),
  mode: v.picklist(['automatic', 'focus', 'grid']),
  /** The cameras in their order. */
  order: cameras,
  /** Those that are shown; none: all. */
  shown: cameras,
})
export type SavedLayout = v.InferOutput<typeof savedLayout>

const haveOwnNames = (all: unknown): boolean =>
  new Set((all as SavedLayout[]).map(({ name }) => name)).size === (all as SavedLayout[]).length

/** At most twelve, each name once. */
export const savedLayouts = v.pipe(
  v.array(savedLayout),
  v.maxLength(LAYOUTS_MAX),
  v.custom<SavedLayout[]>(haveOwnNames, 'Two layouts have the same name.'),
)

const answer = envelope(200, v.object({ layouts: v.array(savedLayout) }))

/** The layouts that the account has saved, in the order in which they were. */
export const getLiveLayouts = call('EXT-live-layouts', 'GET', '/extension/live-layouts', 'extension', {
  request: v.object({}),
  response: answer,
})

/** Replaces all of them. */
export const setLiveLayouts = call(
  'EXT-set-live-layouts',
  'POST',
  '/extension/live-layouts',
  'extension',
  { request: v.object({ layouts: savedLayouts }), response: answer },
  { nonce: true },
)
