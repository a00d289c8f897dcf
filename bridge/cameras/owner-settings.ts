import { join } from 'node:path'
import * as v from 'valibot'
import { readableSettings } from '../../contract/bridge/parse-bridge-messages.ts'
import { DEFAULT_CAMERA_SETTINGS } from '../../contract/cameras/camera-settings.ts'
import { ms } from '../../contract/wire/envelope.ts'
import { readableRecord, readJson, withDefaults } from '../../contract/wire/lenient-parse.ts'
import { readSettingsFile, writeFileDurably } from '../runtime/durable-files.ts'

const choice = v.object({
  power: v.boolean(),
  /** Start of the current power state by the provider's clock; null if unknown. */
  since: v.nullable(ms),
  rendition: v.nullable(v.string()),
  /** True if the two views of a dual-lens camera are swapped. */
  pip: v.boolean(),
  settings: readableSettings,
})
export type OwnerSettings = v.InferOutput<typeof choice>
const NONE: OwnerSettings = { power: true, since: null, rendition: null, pip: false, settings: DEFAULT_CAMERA_SETTINGS }
/** Parses data of any version leniently: missing fields and missing cameras get the defaults. */
const choicesFile = readableRecord(withDefaults(choice, NONE))

/**
 * Stores the last known owner settings in `DATA/choices.json`: a camera that is off stays off after a restart, even
 * before the bridge has reached the provider.
 */
export class OwnerSettingsStore {
  private readonly path: string
  private choices: Record<string, OwnerSettings> = {}
  private writing: Promise<void> = Promise.resolve()

  constructor(data: string) {
    this.path = join(data, 'choices.json')
  }

  async open(): Promise<void> {
    // Missing or damaged file: the provider sends the settings again.
    const content = await readSettingsFile(this.path).catch(() => null)
    this.choices = readJson(choicesFile, content) ?? {}
  }

  of(deviceId: string): OwnerSettings {
    return this.choices[deviceId] ?? NONE
  }

  /**
   * Applies a change and writes the file if something changed. Rejects if the disk is full; the change still applies in
   * memory.
   */
  set(deviceId: string, change: Partial<OwnerSettings>): Promise<void> {
    const before = this.of(deviceId)
    const after = { ...before, ...change }
    if (JSON.stringify(before) === JSON.stringify(after)) return Promise.resolve()
    return this.store({ ...this.choices, [deviceId]: after })
  }

  remove(deviceId: string): Promise<void> {
    const { [deviceId]: removed, ...others } = this.choices
    return removed ? this.store(others) : Promise.resolve()
  }

  /** Moves the settings of a camera to another id. Rejects like `set`. */
  move(from: string, to: string): Promise<void> {
    const { [from]: stored, ...others } = this.choices
    return stored ? this.store({ ...others, [to]: stored }) : Promise.resolve()
  }

  private store(choices: Record<string, OwnerSettings>): Promise<void> {
    this.choices = choices
    const write = () => writeFileDurably(this.path, `${JSON.stringify(this.choices)}\n`)
    this.writing = this.writing.then(write, write)
    return this.writing
  }
}
