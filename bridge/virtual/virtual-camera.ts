import type { BridgeMessage } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings, MotionPreview } from '../../contract/cameras/camera-settings.ts'
import type { BridgeRunOptions } from '../runtime/command-line.ts'
import { getWakeDurationMs } from '../cameras/battery-sleep.ts'
import { CameraController } from '../cameras/camera.ts'
import type { CameraStateWithReason } from '../cameras/camera-status.ts'
import type { OwnerSettings } from '../cameras/owner-settings.ts'
import type { DetectionCoverage } from '../cameras/managed-camera.ts'
import { buildVirtualEvent, buildClip } from './virtual-clip.ts'
import { sendHistory } from './demo-history.ts'
import { log, getErrorMessage, warn } from '../runtime/log.ts'
import type { PeerFactory } from '../webrtc/peer.ts'
import type { VirtualCamera } from './assign-virtual-cameras.ts'
import type { DaySchedule, ScheduledAction } from './day-schedule.ts'
import type { PendingHistory } from './pending-history.ts'
import { LastPictureUpdater } from './last-picture-updater.ts'
import type { ProviderClient } from '../uplink/provider-client.ts'
import type { RecordingQueue } from '../recording/recording-queue.ts'
import { VirtualRecorder } from './virtual-recorder.ts'
import { createRelayOpener } from '../relay/relay-socket.ts'
import type { SceneLibrary } from './scene-library.ts'
import { DualLensSource } from './dual-lens-source.ts'
import { selectInsetLensFiles, LoopSource } from './loop-source.ts'
import type { VideoSource } from '../sources/video-source.ts'
import { storeLastPicture, uploadObjects } from '../uplink/upload-objects.ts'

/**
 * Creates the day schedule of a virtual camera. The evenings and the first ten minutes after `startedAt` (ms UTC) get
 * extra actions, which `slot` distributes among the cameras of the home. If `visits` is `none`, the schedule is empty.
 */
export function createDaySchedule(
  library: SceneLibrary,
  virtualCamera: VirtualCamera,
  { startedAt, slot, visits }: DayScheduleOptions,
): DaySchedule {
  const input = {
    cameraId: virtualCamera.device_id,
    scene: library.getScene(virtualCamera.scene),
    fps: library.manifest.fps,
    utcOffsetMinutes: -new Date().getTimezoneOffset(),
    startedAt: Math.round(startedAt),
    slot,
    isQuiet: visits === 'none',
  }
  return { scene: virtualCamera.scene, input }
}
interface DayScheduleOptions extends Pick<BridgeRunOptions, 'visits'> {
  readonly startedAt: number
  readonly slot: CameraSlot
}
export type CameraSlot = NonNullable<DaySchedule['input']['slot']>

const BATTERY_SCENE = 'garage'

function createSource(library: SceneLibrary, daySchedule: DaySchedule, client: ProviderClient): VideoSource {
  const first = new LoopSource(library, daySchedule, client)
  const isDual = Object.values(daySchedule.input.scene.lights).every(({ quiet }) => quiet.inset !== undefined)
  return isDual ? new DualLensSource(first, new LoopSource(library, daySchedule, client, selectInsetLensFiles)) : first
}

/** Returns the device model (contract/cameras/device-models.ts). */
function selectDeviceModel(source: VideoSource, hasBattery: boolean): string {
  if (source.inset) return 'PL-DUO-V1'
  return hasBattery ? 'PL-BAT-V1' : 'PL-CAM-V1'
}

/** Virtual camera that shows a rendered scene: live video, recordings, last picture and, in a demo home, a history. */
export class ManagedVirtualCamera {
  readonly camera: CameraController
  readonly #client: ProviderClient
  readonly #library: SceneLibrary
  readonly #daySchedule: DaySchedule
  readonly #recorder: VirtualRecorder
  readonly #lastPictureUpdater: LastPictureUpdater
  readonly #pendingHistory: PendingHistory
  readonly #unwatchDiskSpace: () => void

  constructor(virtualCamera: VirtualCamera, daySchedule: DaySchedule, parts: VirtualCameraParts) {
    const { client, library, queue } = parts
    this.#client = client
    this.#library = library
    this.#daySchedule = daySchedule
    this.#recorder = new VirtualRecorder(library, daySchedule, client, queue, parts.since)
    this.#pendingHistory = parts.pasts
    this.#lastPictureUpdater = new LastPictureUpdater(client, library, daySchedule)
    const source = createSource(library, daySchedule, client)
    const battery = virtualCamera.scene === BATTERY_SCENE
    this.camera = new CameraController({
      deviceId: virtualCamera.device_id,
      registration: {
        nickname: virtualCamera.nickname,
        device_model: selectDeviceModel(source, battery),
        home_id: virtualCamera.home,
        provider: 'kvs',
        renditions: [...library.getScene(virtualCamera.scene).renditions],
        dual: source.inset !== undefined,
        audio: source.watchAudio !== undefined,
        battery,
        device_order: virtualCamera.order,
        firmware_version: '1.0.0',
      },
      source,
      createPeer: parts.createPeer,
      openRelay: createRelayOpener(client),
      storePicture: (bytes) => storeLastPicture(client, virtualCamera.device_id, bytes),
      send: parts.send,
      now: () => client.now(),
      rendition: parts.choice.rendition,
      onPower: (on) => this.#applyPower(on, source),
      ...(parts.choice.power ? {} : { off: { since: parts.choice.since } }),
      ...(battery && { wakeMs: parts.wakeMs ?? getWakeDurationMs(virtualCamera.device_id) }),
    })
    this.applySettings(parts.choice.settings)
    source.swap?.(parts.choice.pip)
    // Ignore an almost full disk: a recording takes only a small queue entry, because its clip is built during upload.
    this.#unwatchDiskSpace = queue.diskSpace.watch((trouble, nothing) => this.camera.setProblem(nothing ? trouble : ''))
  }

  applySettings(settings: CameraSettings): void {
    this.#recorder.applySettings(settings)
  }

  previewMotion(settings: CameraSettings): Promise<MotionPreview> {
    return Promise.resolve(this.#recorder.previewMotion(settings))
  }

  getDetectionCoverage(now: number): DetectionCoverage {
    return this.#recorder.getDetectionCoverage(now)
  }

  interrupt(): void {
    this.#recorder.reschedule()
  }

  /** Records a visit that ends now, if the camera is switched on and the owner's settings record the visit. */
  recordVisit(): void {
    this.#recorder.recordVisit()
  }

  #applyPower(on: boolean, source: VideoSource): CameraStateWithReason {
    if (on) {
      source.start()
      this.#recorder.resume()
    } else {
      source.stop()
      this.#recorder.stop()
    }
    return { state: 'awake', reason: '' }
  }

  /**
   * Uploads the last picture. In a demo home, also uploads the history if the camera has no events or an earlier upload
   * of the history was interrupted. `until`: end of a new history, ms UTC. The camera must already be registered.
   */
  async startUploads(demo: boolean, hasEvents: boolean, until: number): Promise<void> {
    await this.#lastPictureUpdater.start()
    if (!demo) return
    const { nickname } = this.camera.registration
    try {
      const pendingUntil = await this.#pendingHistory.getHistoryEnd(this.camera.deviceId)
      if (hasEvents && pendingUntil === undefined) return
      await this.#pendingHistory.start(this.camera.deviceId, pendingUntil ?? until)
      const count = await sendHistory(this.#client, this.#library, this.#daySchedule, pendingUntil ?? until)
      await this.#pendingHistory.finish(this.camera.deviceId)
      warn(`Added ${count} past events to ${nickname}.`)
    } catch (error) {
      log(`Couldn't add past events to ${nickname}: ${getErrorMessage(error)}`)
    }
  }

  stop(): void {
    this.#unwatchDiskSpace()
    this.#recorder.stop()
    this.#lastPictureUpdater.stop()
    this.camera.stop()
  }
}

export interface VirtualCameraParts {
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

/** Posts the event of a recording before its clip is uploaded. Throws the errors of `deliverRecording`. */
export async function postVirtualEvent(
  client: ProviderClient,
  library: SceneLibrary,
  scheduledAction: ScheduledAction,
): Promise<void> {
  const { scene, light, action } = scheduledAction
  const event = buildVirtualEvent(library, scheduledAction)
  const bytes = await library.readSceneFile(library.getAction(scene, light, action).thumb)
  const [thumb_object = null] = await uploadObjects(client, event.device_id, [
    { kind: 'thumb', name: event.event_id, bytes },
  ])
  await client.postEvent({ ...event, event_resources: [], clip_state: 'uploading', clip_object: null, thumb_object })
}

/**
 * Uploads a recording and posts its event. Throws ProviderError if a request fails, or RangeError if the scene or its
 * action no longer exists.
 */
export async function deliverRecording(
  client: ProviderClient,
  library: SceneLibrary,
  scheduledAction: ScheduledAction,
): Promise<void> {
  const { scene, light, action } = scheduledAction
  const event = buildVirtualEvent(library, scheduledAction)
  const [clip, thumb] = await Promise.all([
    buildClip(library, scene, light, action),
    library.readSceneFile(library.getAction(scene, light, action).thumb),
  ])
  const name = event.event_id
  const [clipObject, thumbObject] = await uploadObjects(client, event.device_id, [
    { kind: 'clip', name, bytes: clip },
    { kind: 'thumb', name, bytes: thumb },
  ])
  await client.postEvent({ ...event, clip_object: clipObject ?? null, thumb_object: thumbObject ?? null })
  log(`Recorded "${event.title}" (${event.event_id}).`)
}
