import type { BridgeMessage } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings, MotionTrial } from '../../contract/cameras/camera-settings.ts'
import { CameraController } from './camera.ts'
import type { Status } from './camera-status.ts'
import type { RtspCamera } from './camera-file.ts'
import type { OwnerSettings } from './owner-settings.ts'
import type { DetectionCoverage } from './managed-camera.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { PictureOrder } from '../media/h264/picture-order-count.ts'
import { readPictureHeight } from '../media/h264/sps.ts'
import { encodeJpeg } from '../media/jpeg-encoder.ts'
import { log, getErrorMessage, warn } from '../runtime/log.ts'
import { MotionWatch } from '../motion/motion-monitor.ts'
import type { PeerFactory } from '../webrtc/peer.ts'
import type { ProviderClient } from '../uplink/provider-client.ts'
import type { RecordingQueue } from '../recording/recording-queue.ts'
import { MotionRecorder } from '../recording/motion-recorder.ts'
import { relaySockets } from '../relay/relay-socket.ts'
import { RtspSource } from '../sources/rtsp-source.ts'
import type { AudioPacket } from '../media/audio/audio-clock.ts'
import type { Source } from '../sources/video-source.ts'
import { StreamPair } from '../sources/main-and-sub-stream.ts'
import { storeLastPicture } from '../uplink/upload-objects.ts'

/** Interval between uploads of the last picture, ms. */
const PICTURE_MS = 60_000

/** Rendition name of a camera with one stream. With two streams, both have this name until their heights are known. */
const SINGLE = 'main'

/** Maximum audio packets waiting for the next frame: five seconds. */
const HEARD_MAX = 250

export interface RtspParts {
  readonly client: ProviderClient
  readonly queue: RecordingQueue
  readonly createPeer: PeerFactory
  readonly send: (message: BridgeMessage) => void
  readonly choice: OwnerSettings
  /** Called when properties of the camera have become known and it must be registered again. */
  readonly changed: (camera: RtspCameraUnit) => void
}

export class RtspCameraUnit {
  readonly camera: CameraController
  private readonly entry: RtspCamera
  private readonly parts: RtspParts
  private readonly main: RtspSource
  private readonly low: RtspSource | undefined
  private readonly motion: MotionWatch
  private readonly recorder: MotionRecorder
  /**
   * Ends the subscription that keeps the sub-stream running until its size is known. Later, the sub-stream runs only
   * while it has viewers.
   */
  private letGo: (() => void) | undefined
  /** Reason why the sub-stream delivers no frames; undefined while it does. */
  private lowReason: string | undefined = ''
  /** True while motion detection runs; undefined while the camera is switched off. */
  private isLooking: boolean | undefined
  /** Detects B-frames; undefined after the first B-frame was reported. */
  private order: PictureOrder | undefined = new PictureOrder()
  private heard: AudioPacket[] = []
  private listening = false
  private settings: CameraSettings
  private readonly leaveRoom: () => void
  private pictures: NodeJS.Timeout | undefined

  constructor(entry: RtspCamera, order: number, parts: RtspParts) {
    this.entry = entry
    this.parts = parts
    this.settings = parts.choice.settings
    this.main = this.stream(entry.url, (reason) => this.changed(reason), true)
    this.low = entry.sub === undefined ? undefined : this.stream(entry.sub, (reason) => this.lowChanged(reason), false)
    const source: Source = this.low
      ? new StreamPair({ main: this.main, low: this.low }, (name) => this.toStreamName(name))
      : this.main
    if (this.low) this.letGo = source.watch(() => undefined)
    this.recorder = new MotionRecorder({ deviceId: entry.device_id, name: entry.name, queue: parts.queue })
    this.main.watch((unit) => this.record(unit))
    this.motion = new MotionWatch({
      // Motion detection uses the sub-stream, or the main stream while the sub-stream is unavailable.
      source,
      clock: parts.client,
      onSample: (sample, rate, look) => this.recorder.sample(sample, rate, look),
    })
    this.motion.configure(this.settings)
    this.camera = new CameraController({
      deviceId: entry.device_id,
      registration: toRegistration(entry, order),
      source,
      createPeer: parts.createPeer,
      openRelay: relaySockets(parts.client),
      storePicture: (bytes) => storeLastPicture(parts.client, entry.device_id, bytes),
      send: parts.send,
      now: () => parts.client.now(),
      rendition: parts.choice.rendition,
      onPower: (on) => this.power(on, source),
      ...(parts.choice.power ? {} : { off: { since: parts.choice.since } }),
    })
    this.leaveRoom = parts.queue.room.watch((trouble) => this.camera.setTrouble(trouble))
  }

  configure(settings: CameraSettings): void {
    this.settings = settings
    this.motion.configure(settings)
    this.watchMotion()
  }

  tryMotion(settings: CameraSettings): Promise<MotionTrial> {
    return this.recorder.try(settings, this.parts.client.now())
  }

  /** Uploads the last picture now and every minute from now on; the provider knows the camera. */
  introduce(): Promise<void> {
    clearInterval(this.pictures)
    this.pictures = setInterval(() => void this.storePicture(), PICTURE_MS)
    return this.storePicture()
  }

  watching(now: number): DetectionCoverage {
    if (this.isLooking === false) this.recorder.motionOff(now)
    return this.recorder.watching(now)
  }

  interrupt(): void {
    this.recorder.interrupt()
    this.motion.rest()
  }

  stop(): void {
    this.leaveRoom()
    clearInterval(this.pictures)
    this.motion.stop()
    this.recorder.interrupt()
    this.camera.stop()
  }

  private stream(url: string, onState: (reason: string | undefined) => void, sound: boolean): RtspSource {
    const { h265, name } = this.entry
    const onTranscode = () =>
      warn(`${name} sends H.265. It is turned into H.264 here, which costs a good part of a core; H.264 costs nothing.`)
    const onSound = (audioState: 'heard' | 'none' | 'broken') => this.soundIs(audioState)
    const clock = this.parts.client
    return new RtspSource({ url, clock, onState, onTranscode, onSound, sound, ...(h265 && { h265 }) })
  }

  private power(on: boolean, source: Source): Status {
    if (on) source.start()
    else source.stop()
    if (!on) this.recorder.interrupt()
    this.watchMotion(on)
    return { state: 'waking', reason: '' }
  }

  private watchMotion(on = this.camera.state !== 'switched_off'): void {
    this.isLooking = on ? this.settings.motion : undefined
    if (this.isLooking) return this.motion.start()
    if (!on) this.recorder.endWatch()
    this.motion.stop()
    this.recorder.interrupt()
  }

  private changed(reason: string | undefined): void {
    const { state, reason: before } = this.camera.summary()
    const name = this.camera.registration.nickname
    if (reason === undefined) {
      if (state !== 'awake') warn(`${name} is live.`)
      this.camera.setStatus('awake', '')
      this.learnRenditions()
      if (state === 'waking' && this.pictures) void this.storePicture()
      return
    }
    this.recorder.interrupt()
    if (this.lowReason !== undefined) this.motion.rest()
    if (reason !== before && state !== 'switched_off') warn(`${name}: ${reason}`)
    this.camera.setStatus('offline', reason)
  }

  private lowChanged(reason: string | undefined): void {
    if (reason === this.lowReason) return
    // Motion detection switches to another stream. A new reason for the same outage changes nothing.
    if (reason === undefined || this.lowReason === undefined) this.motion.rest()
    this.lowReason = reason
    if (reason === undefined) return this.learnRenditions()
    log(`The sub-stream of ${this.camera.registration.nickname}: ${reason}`)
  }

  private record(unit: AccessUnit): void {
    if (this.order?.stepsBack(unit)) this.warnAboutBFrames()
    const sound = this.heard
    this.heard = []
    this.recorder.picture(sound.length > 0 ? { ...unit, sound } : unit)
  }

  private warnAboutBFrames(): void {
    this.order = undefined
    warn(
      `${this.entry.name} sends B-frames. This computer transcodes live video while someone watches; without B-frames that costs nothing and the delay is shorter.`,
    )
  }

  private hear(packet: AudioPacket): void {
    this.heard.push(packet)
    if (this.heard.length > HEARD_MAX) this.heard.shift()
  }

  private soundIs(audioState: 'heard' | 'none' | 'broken'): void {
    const { registration } = this.camera
    if (audioState === 'broken')
      log(`The sound of ${registration.nickname} cannot be read; video continues without it.`)
    const audio = audioState === 'heard'
    if (audio && !this.listening) this.main.watchAudio?.((packet) => this.hear(packet))
    this.listening ||= audio
    if (audio === registration.audio) return
    this.camera.registration = { ...registration, audio }
    this.parts.changed(this)
  }

  private learnRenditions(): void {
    // The source reports its state while it handles a keyframe that is not in its GOP yet, so the heights are read
    // afterwards.
    setImmediate(() => {
      const heights = [this.low, this.main].map((stream) => readPictureHeight(stream?.group()[0]))
      if (!heights.every((height) => height !== undefined)) return
      this.letGo?.()
      this.letGo = undefined
      const renditions = [...new Set(heights.map(String))]
      const { registration } = this.camera
      if (renditions.length < 2 || registration.renditions.join() === renditions.join()) return
      this.camera.registration = { ...registration, renditions }
      this.parts.changed(this)
    })
  }

  private toStreamName(rendition: string): 'main' | 'low' {
    return this.camera.registration.renditions.indexOf(rendition) === 1 ? 'main' : 'low'
  }

  private async storePicture(): Promise<void> {
    const keyframe = this.main.group()[0]
    if (!keyframe) return
    try {
      await storeLastPicture(this.parts.client, this.camera.deviceId, await encodeJpeg([keyframe]))
    } catch (error) {
      log(`The last picture of ${this.camera.registration.nickname} could not be stored: ${getErrorMessage(error)}`)
    }
  }
}

function toRegistration(entry: RtspCamera, order: number): CameraController['registration'] {
  return {
    nickname: entry.name,
    device_model: 'PL-RTSP',
    ...(entry.home && { home_id: entry.home }),
    provider: 'kvs',
    renditions: [SINGLE],
    dual: false,
    audio: false,
    battery: false,
    device_order: order,
  }
}
