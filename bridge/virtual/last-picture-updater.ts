import type { TimeOfDay } from '../../scenes/manifest.ts'
import { log, getErrorMessage } from '../runtime/log.ts'
import { getTimeOfDay, type DaySchedule } from './day-schedule.ts'
import type { ProviderClient } from '../uplink/provider-client.ts'
import type { SceneLibrary } from './scene-library.ts'
import { uploadObjects } from '../uplink/upload-objects.ts'

const CHECK_INTERVAL_MS = 60_000

/** Uploads the last picture of a virtual camera at the start, and again when day, dusk or night begins. */
export class LastPictureUpdater {
  readonly #client: ProviderClient
  readonly #library: SceneLibrary
  readonly #schedule: DaySchedule
  #timeOfDay: TimeOfDay | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(client: ProviderClient, library: SceneLibrary, schedule: DaySchedule) {
    this.#client = client
    this.#library = library
    this.#schedule = schedule
  }

  async start(): Promise<void> {
    this.stop()
    this.#timeOfDay = undefined
    this.#timer = setInterval(() => void this.#updateIfChanged(), CHECK_INTERVAL_MS)
    await this.#updateIfChanged()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #updateIfChanged(): Promise<void> {
    const timeOfDay = getTimeOfDay(this.#schedule, this.#client.now())
    if (timeOfDay === this.#timeOfDay) return
    try {
      const id = this.#schedule.input.cameraId
      const bytes = await this.#library.readSceneFile(this.#schedule.input.scene.lights[timeOfDay].poster)
      await uploadObjects(this.#client, id, [{ kind: 'last', name: id, bytes }])
      this.#timeOfDay = timeOfDay
    } catch (error) {
      log(`The last frame from a camera couldn't be stored: ${getErrorMessage(error)}`)
    }
  }
}
