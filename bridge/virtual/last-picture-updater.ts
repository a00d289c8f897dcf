import type { Light } from '../../scenes/manifest.ts'
import { log, getErrorMessage } from '../runtime/log.ts'
import { lightAt, type CameraPlan } from './day-schedule.ts'
import type { ProviderClient } from '../uplink/provider-client.ts'
import type { SceneLibrary } from './scene-library.ts'
import { upload } from '../uplink/upload-objects.ts'

const LOOK_MS = 60_000

/** Keeps the last picture of a virtual camera at the provider up to date with the time of day. */
export class Poster {
  private readonly client: ProviderClient
  private readonly library: SceneLibrary
  private readonly plan: CameraPlan
  private light: Light | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(client: ProviderClient, library: SceneLibrary, plan: CameraPlan) {
    this.client = client
    this.library = library
    this.plan = plan
  }

  async start(): Promise<void> {
    this.stop()
    this.light = undefined
    this.timer = setInterval(() => void this.updateIfChanged(), LOOK_MS)
    await this.updateIfChanged()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private async updateIfChanged(): Promise<void> {
    const light = lightAt(this.plan, this.client.now())
    if (light === this.light) return
    try {
      const id = this.plan.input.cameraId
      const bytes = await this.library.read(this.plan.input.scene.lights[light].poster)
      await upload(this.client, id, [{ kind: 'last', name: id, bytes }])
      this.light = light
    } catch (error) {
      log(`The last picture of a camera could not be stored: ${getErrorMessage(error)}`)
    }
  }
}
