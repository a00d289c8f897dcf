import { join } from 'node:path'
import * as v from 'valibot'
import { readableSettings } from '../../contract/bridge/parse-bridge-messages.ts'
import { DEFAULT_CAMERA_SETTINGS } from '../../contract/cameras/camera-settings.ts'
import { ms } from '../../contract/wire/envelope.ts'
import { readableRecord, readJson, withDefaults } from '../../contract/wire/lenient-parse.ts'
import { readSettings, writeFileDurably } from '../runtime/durable-files.ts'

const choice = v.object({
  power: v.boolean(),
  /** Since when it is on or off, by the provider's clock; null: not known. */
  since: v.nullable(ms),
  rendition: v.nullable(v.string()),
  /** Whether the two pictures of a dual camera have changed places. */
  pip: v.boolean(),
  settings: readableSettings,
})
/** What an owner has chosen for a camera in the portal. */
export type Choice = v.InferOutput<typeof choice>
const NONE: Choice = { power: true, since: null, rendition: null, pip: false, settings: DEFAULT_CAMERA_SETTINGS }
/** Written by any version: what one field or one camera does not say is as nobody has chosen it. */
const choicesFile = readableRecord(withDefaults(choice, NONE))

/**
 * The last that was heard of the owner's choices, in `DATA/choices.json`: a camera that is switched off stays off when the
 * bridge starts again, also before it has reached the provider.
 */
export class OwnerSettingsStore {
  private readonly path: string
  private choices: Record<string, Choice> = {}
  private writing: Promise<void> = Promise.resolve()

  constructor(data: string) {
    this.path = join(data, 'choices.json')
  }

  async open(): Promise<void> {
    // None yet, or damaged: the provider repeats them.
    const content = await readSettings(this.path).catch(() => null)
    this.choices = readJson(choicesFile, content) ?? {}
  }

  of(deviceId: string): Choice {
    return this.choices[deviceId] ?? NONE
  }

  /** Writes only what is new. Rejects when the disk is full; the change counts all the same. */
  set(deviceId: string, change: Partial<Choice>): Promise<void> {
    const before = this.of(deviceId)
    const after = { ...before, ...change }
    if (JSON.stringify(before) === JSON.stringify(after)) return Promise.resolve()
    return this.store({ ...this.choices, [deviceId]: after })
  }

  remove(deviceId: string): Promise<void> {
    const { [deviceId]: removed, ...others } = this.choices
    return removed ? this.store(others) : Promise.resolve()
  }

  /** What was chosen for a camera counts under another id. Rejects as `set`. */
  move(from: string, to: string): Promise<void> {
    const { [from]: stored, ...others } = this.choices
    return stored ? this.store({ ...others, [to]: stored }) : Promise.resolve()
  }

  private store(choices: Record<string, Choice>): Promise<void> {
    this.choices = choices
    const write = () => writeFileDurably(this.path, `${JSON.stringify(this.choices)}\n`)
    this.writing = this.writing.then(write, write)
    return this.writing
  }
}
