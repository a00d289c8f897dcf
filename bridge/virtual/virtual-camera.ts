import type { BridgeMessage } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings, MotionTrial } from '../../contract/cameras/camera-settings.ts'
import type { BridgeRunOptions } from '../runtime/command-line.ts'
import { wakeTime } from '../cameras/battery-sleep.ts'
import { CameraController } from '../cameras/camera.ts'
import type { Status } from '../cameras/camera-status.ts'
import type { OwnerSettings } from '../cameras/owner-settings.ts'
import type { DetectionCoverage } from '../cameras/managed-camera.ts'
import { buildVirtualEvent, makeClip } from './virtual-clip.ts'
import { sendHistory } from './demo-history.ts'
import { log, getErrorMessage, warn } from '../runtime/log.ts'
import type { PeerFactory } from '../webrtc/peer.ts'
import type { VirtualCamera } from './assign-virtual-cameras.ts'
import type { CameraPlan, Happening } from './day-schedule.ts'
import type { PendingHistory } from './pending-history.ts'
import { Poster } from './last-picture-updater.ts'
import type { ProviderClient } from '../uplink/provider-client.ts'
import type { RecordingQueue } from '../recording/recording-queue.ts'
import { Recorder } from './virtual-recorder.ts'
import { relaySockets } from '../relay/relay-socket.ts'
import type { SceneLibrary } from './scene-library.ts'
import { DualSource } from './dual-lens-source.ts'
import { INSET, LoopSource } from './loop-source.ts'
import type { Source } from '../sources/video-source.ts'
import { storeLastPicture, upload } from '../uplink/upload-objects.ts'

/**
 * Creates the day schedule of a virtual camera. The first ten minutes after `startedAt` get extra actions; `slot`
 * spreads these over the cameras.
 */
export function createCameraPlan(
  library: SceneLibrary,
  place: VirtualCamera,
  { startedAt, slot, visits }: PlanOptions,
): CameraPlan {
  const input = {
    cameraId: place.device_id,
    scene: library.scene(place.scene),
    fps: library.manifest.fps,
    utcOffsetMinutes: -new Date().getTimezoneOffset(),
    startedAt: Math.round(startedAt),
    slot,
    isQuiet: visits === 'none',
  }
  return { scene: place.scene, input }
}
interface PlanOptions extends Pick<BridgeRunOptions, 'visits'> {
  readonly startedAt: number
  readonly slot: NonNullable<CameraPlan['input']['slot']>
}

/** Scene whose camera runs on a battery: it is far from a socket. */
const BATTERY_SCENE = 'garage'

/** Creates the video source; a scene with a second lens becomes a dual-lens camera. */
function createSource(library: SceneLibrary, plan: CameraPlan, client: ProviderClient): Source {
  const first = new LoopSource(library, plan, client)
  const isDual = Object.values(plan.input.scene.lights).every(({ quiet }) => quiet.inset !== undefined)
  return isDual ? new DualSource(first, new LoopSource(library, plan, client, INSET)) : first
}

/** Returns the device model (contract/cameras/device-models.ts). */
function selectDeviceModel(source: Source, battery: boolean): string {
  if (source.inset) return 'PL-DUO-V1'
  return battery ? 'PL-BAT-V1' : 'PL-CAM-V1'
}

/** A rendered scene as a camera: live video, recordings, last picture and, in a demo home, a history. */
export class VirtualCameraUnit {
  readonly camera: CameraController
  private readonly client: ProviderClient
  private readonly library: SceneLibrary
  private readonly plan: CameraPlan
  private readonly recorder: Recorder
  private readonly poster: Poster
  private readonly pasts: PendingHistory
  private readonly leaveRoom: () => void

  constructor(place: VirtualCamera, plan: CameraPlan, parts: UnitParts) {
    const { client, library, queue } = parts
    this.client = client
    this.library = library
    this.plan = plan
    this.recorder = new Recorder(library, plan, client, queue, parts.since)
    this.pasts = parts.pasts
    this.poster = new Poster(client, library, plan)
    const source = createSource(library, plan, client)
    const battery = place.scene === BATTERY_SCENE
    this.camera = new CameraController({
      deviceId: place.device_id,
      registration: {
        nickname: place.nickname,
        device_model: selectDeviceModel(source, battery),
        home_id: place.home,
        provider: 'kvs',
        renditions: [...library.scene(place.scene).renditions],
        dual: source.inset !== undefined,
        audio: source.watchAudio !== undefined,
        battery,
        device_order: place.order,
        firmware_version: '1.0.0',
      },
      source,
      createPeer: parts.createPeer,
      openRelay: relaySockets(client),
      storePicture: (bytes) => storeLastPicture(client, place.device_id, bytes),
      send: parts.send,
      now: () => client.now(),
      rendition: parts.choice.rendition,
      onPower: (on) => this.power(on, source),
      ...(parts.choice.power ? {} : { off: { since: parts.choice.since } }),
      ...(battery && { wakeMs: parts.wakeMs ?? wakeTime(place.device_id) }),
    })
    this.configure(parts.choice.settings)
    source.swap?.(parts.choice.pip)
    // An almost full disk is no problem: clips are rendered during upload, and until then a recording takes only a
    // small queue entry.
    this.leaveRoom = queue.room.watch((trouble, nothing) => this.camera.setTrouble(nothing ? trouble : ''))
  }

  configure(settings: CameraSettings): void {
    this.recorder.configure(settings)
  }

  tryMotion(settings: CameraSettings): Promise<MotionTrial> {
    return Promise.resolve(this.recorder.try(settings))
  }

  watching(now: number): DetectionCoverage {
    return this.recorder.watching(now)
  }

  interrupt(): void {
    this.recorder.wake()
  }

  /** Records a visit that ends now. */
  visit(): void {
    this.recorder.visit()
  }

  private power(on: boolean, source: Source): Status {
    if (on) {
      source.start()
      this.recorder.resume()
    } else {
      source.stop()
      this.recorder.stop()
    }
    return { state: 'awake', reason: '' }
  }

  /** Runs once the provider knows the camera: uploads its last picture and, in a demo home, a missing history. */
  async introduce(demo: boolean, hasEvents: boolean, until: number): Promise<void> {
    await this.poster.start()
    if (!demo) return
    const { nickname } = this.camera.registration
    try {
      const pendingUntil = await this.pasts.begunFor(this.camera.deviceId)
      if (hasEvents && pendingUntil === undefined) return
      await this.pasts.start(this.camera.deviceId, pendingUntil ?? until)
      const count = await sendHistory(this.client, this.library, this.plan, pendingUntil ?? until)
      await this.pasts.finish(this.camera.deviceId)
      warn(`${nickname} has a past of ${count} events.`)
    } catch (error) {
      log(`The past of ${nickname} could not be sent: ${getErrorMessage(error)}`)
    }
  }

  stop(): void {
    this.leaveRoom()
    this.recorder.stop()
    this.poster.stop()
    this.camera.stop()
  }
}

export interface UnitParts {
  readonly client: ProviderClient
  readonly library: SceneLibrary
  readonly queue: RecordingQueue
  readonly pasts: PendingHistory
  readonly createPeer: PeerFactory
  readonly send: (message: BridgeMessage) => void
  /** Only actions that end after this time are recorded, ms UTC. */
  readonly since: number
  readonly choice: OwnerSettings
  /** Wake time of a battery camera, ms; undefined: a realistic time, derived from the device id. */
  readonly wakeMs: number | undefined
}

/**
 * Posts the event of a recording without its clip, which is uploaded later. Throws the same errors as
 * `deliverRecording`.
 */
export async function listRecording(
  client: ProviderClient,
  library: SceneLibrary,
  happening: Happening,
): Promise<void> {
  const { scene, light, action } = happening
  const event = buildVirtualEvent(library, happening)
  const bytes = await library.read(library.action(scene, light, action).thumb)
  const [thumb_object = null] = await upload(client, event.device_id, [{ kind: 'thumb', name: event.event_id, bytes }])
  await client.postEvent({ ...event, event_resources: [], clip_state: 'uploading', clip_object: null, thumb_object })
}

/** Uploads a recording and posts its event. Throws ProviderError, or RangeError if the scene no longer exists. */
export async function deliverRecording(
  client: ProviderClient,
  library: SceneLibrary,
  happening: Happening,
): Promise<void> {
  const { scene, light, action } = happening
  const event = buildVirtualEvent(library, happening)
  const [clip, thumb] = await Promise.all([
    makeClip(library, scene, light, action),
    library.read(library.action(scene, light, action).thumb),
  ])
  const name = event.event_id
  const [clipObject, thumbObject] = await upload(client, event.device_id, [
    { kind: 'clip', name, bytes: clip },
    { kind: 'thumb', name, bytes: thumb },
  ])
  await client.postEvent({ ...event, clip_object: clipObject ?? null, thumb_object: thumbObject ?? null })
  log(`Recorded "${event.title}" (${event.event_id}).`)
}
