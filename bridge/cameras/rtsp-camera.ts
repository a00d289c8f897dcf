import type { BridgeMessage } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings, MotionPreview } from '../../contract/cameras/camera-settings.ts'
import { CameraController } from './camera.ts'
import type { CameraStateWithReason } from './camera-status.ts'
import type { RtspCamera } from './camera-file.ts'
import type { OwnerSettings } from './owner-settings.ts'
import type { DetectionCoverage } from './managed-camera.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { PictureOrder } from '../media/h264/picture-order-count.ts'
import { readFrameHeight } from '../media/h264/sps.ts'
import { encodeJpeg } from '../media/jpeg-encoder.ts'
import { log, getErrorMessage, warn } from '../runtime/log.ts'
import { MotionMonitor } from '../motion/motion-monitor.ts'
import type { PeerFactory } from '../webrtc/peer.ts'
import type { ProviderClient } from '../uplink/provider-client.ts'
import type { RecordingQueue } from '../recording/recording-queue.ts'
import { MotionRecorder } from '../recording/motion-recorder.ts'
import { createRelayOpener } from '../relay/relay-socket.ts'
import { RtspSource } from '../sources/rtsp-source.ts'
import type { AudioPacket } from '../media/audio/audio-clock.ts'
import type { VideoSource } from '../sources/video-source.ts'
import { MainAndSubStream } from '../sources/main-and-sub-stream.ts'
import { storeLastPicture } from '../uplink/upload-objects.ts'
import { LastPictureUploads } from './last-picture-uploads.ts'

/**
 * Only rendition name of a camera with one stream, and of a camera with two streams whose heights are equal or not
 * known yet.
 */
const SINGLE_STREAM_RENDITION = 'main'

/** Maximum number of audio packets that wait for the next video frame: five seconds of audio. */
const MAX_PENDING_AUDIO_PACKETS = 250

export interface RtspCameraParts {
  readonly client: ProviderClient
  readonly queue: RecordingQueue
  readonly createPeer: PeerFactory
  readonly send: (message: BridgeMessage) => void
  readonly choice: OwnerSettings
  /** Called when the camera's renditions or audio have changed, so that it must be registered again. */
  readonly changed: (camera: ManagedRtspCamera) => void
}

export class ManagedRtspCamera {
  readonly camera: CameraController
  readonly #entry: RtspCamera
  readonly #parts: RtspCameraParts
  readonly #mainStream: RtspSource
  readonly #subStream: RtspSource | undefined
  readonly #motion: MotionMonitor
  readonly #recorder: MotionRecorder
  /**
   * Ends the subscription that keeps the sub-stream running until the heights of both streams are known. Afterward, the
   * sub-stream runs only while it has subscribers.
   */
  #releaseSubStream: (() => void) | undefined
  /**
   * Reason why the sub-stream delivers no frames; undefined while frames arrive. It is '' for a camera without a
   * sub-stream, and before the sub-stream has reported its state.
   */
  #subStreamError: string | undefined = ''
  /** True while motion detection runs, false if the owner disabled it; undefined while the camera is switched off. */
  #isDetectingMotion: boolean | undefined
  /** Detects B-frames; undefined after the first B-frame was reported. */
  #pictureOrder: PictureOrder | undefined = new PictureOrder()
  #pendingAudio: AudioPacket[] = []
  #isWatchingAudio = false
  #settings: CameraSettings
  readonly #unwatchDiskSpace: () => void
  readonly #lastPicture = new LastPictureUploads({
    store: () => this.#storePicture(),
    isWatched: () => this.camera.isWatched,
  })

  constructor(entry: RtspCamera, deviceOrder: number, parts: RtspCameraParts) {
    this.#entry = entry
    this.#parts = parts
    this.#settings = parts.choice.settings
    this.#mainStream = this.#createSource(entry.url, (reason) => this.#handleMainState(reason), true)
    this.#subStream =
      entry.sub === undefined
        ? undefined
        : this.#createSource(entry.sub, (reason) => this.#handleSubStreamState(reason), false)
    const source: VideoSource = this.#subStream
      ? new MainAndSubStream({ main: this.#mainStream, low: this.#subStream }, (name) => this.#toStreamName(name))
      : this.#mainStream
    if (this.#subStream) this.#releaseSubStream = source.watch(() => undefined)
    this.#recorder = new MotionRecorder({ deviceId: entry.device_id, name: entry.name, queue: parts.queue })
    this.#mainStream.watch((unit) => this.#record(unit))
    this.#motion = new MotionMonitor({
      // Motion detection uses the sub-stream, or the main stream while the sub-stream is unavailable.
      source,
      clock: parts.client,
      onSample: (sample, rate, look) => this.#recorder.handleSample(sample, rate, look),
    })
    this.#motion.applySettings(this.#settings)
    this.camera = new CameraController({
      deviceId: entry.device_id,
      registration: toRegistration(entry, deviceOrder),
      source,
      createPeer: parts.createPeer,
      openRelay: createRelayOpener(parts.client),
      storePicture: (bytes) => storeLastPicture(parts.client, entry.device_id, bytes),
      send: parts.send,
      now: () => parts.client.now(),
      rendition: parts.choice.rendition,
      onPower: (on) => this.#applyPower(on, source),
      ...(parts.choice.power ? {} : { off: { since: parts.choice.since } }),
    })
    this.#unwatchDiskSpace = parts.queue.diskSpace.watch((trouble) => this.camera.setProblem(trouble))
  }

  applySettings(settings: CameraSettings): void {
    this.#settings = settings
    this.#motion.applySettings(settings)
    this.#updateMotionDetection()
  }

  previewMotion(settings: CameraSettings): Promise<MotionPreview> {
    return this.#recorder.previewMotion(settings, this.#parts.client.now())
  }

  /** Uploads the last picture now and from now on. The camera must already be registered with the provider. */
  startUploads(): Promise<void> {
    return this.#lastPicture.start()
  }

  getDetectionCoverage(now: number): DetectionCoverage {
    if (this.#isDetectingMotion === false) this.#recorder.recordMotionOff(now)
    return this.#recorder.getDetectionCoverage(now)
  }

  interrupt(): void {
    this.#recorder.interrupt()
    this.#motion.resetDetection()
  }

  stop(): void {
    this.#unwatchDiskSpace()
    this.#lastPicture.stop()
    this.#motion.stop()
    this.#recorder.interrupt()
    this.camera.stop()
  }

  #createSource(url: string, onState: (reason: string | undefined) => void, withAudio: boolean): RtspSource {
    const { h265, name } = this.#entry
    const onTranscode = () =>
      warn(
        `${name} sends H.265. The hub converts it to H.264, which uses a lot of CPU. Choose H.264 in the camera's settings if you can.`,
      )
    const onSound = (audioState: 'heard' | 'none' | 'broken') => this.#handleAudioState(audioState)
    const clock = this.#parts.client
    return new RtspSource({ url, clock, onState, onTranscode, onSound, sound: withAudio, ...(h265 && { h265 }) })
  }

  #applyPower(on: boolean, source: VideoSource): CameraStateWithReason {
    if (on) source.start()
    else source.stop()
    if (!on) this.#recorder.interrupt()
    this.#updateMotionDetection(on)
    return { state: 'waking', reason: '' }
  }

  #updateMotionDetection(on = this.camera.state !== 'switched_off'): void {
    this.#isDetectingMotion = on ? this.#settings.motion : undefined
    if (this.#isDetectingMotion) return this.#motion.start()
    if (!on) this.#recorder.endCoverage()
    this.#motion.stop()
    this.#recorder.interrupt()
  }

  #handleMainState(reason: string | undefined): void {
    const { state, reason: previousReason } = this.camera.getSummary()
    const name = this.camera.registration.nickname
    if (reason === undefined) {
      if (state !== 'awake') warn(`${name} is live.`)
      this.camera.setStatus('awake', '')
      this.#learnRenditions()
      if (state === 'waking') this.#lastPicture.uploadIfStarted()
      return
    }
    this.#recorder.interrupt()
    if (this.#subStreamError !== undefined) this.#motion.resetDetection()
    if (reason !== previousReason && state !== 'switched_off') warn(`${name}: ${reason}`)
    if (state === 'awake') this.#lastPicture.uploadIfStarted()
    this.camera.setStatus('offline', reason)
  }

  #handleSubStreamState(reason: string | undefined): void {
    if (reason === this.#subStreamError) return
    // Detection must restart, because it switches streams when the sub-stream fails or recovers. If the sub-stream only
    // fails for a new reason, detection continues.
    if (reason === undefined || this.#subStreamError === undefined) this.#motion.resetDetection()
    this.#subStreamError = reason
    if (reason === undefined) return this.#learnRenditions()
    log(`Sub-stream of ${this.camera.registration.nickname}: ${reason}`)
  }

  #record(unit: AccessUnit): void {
    if (this.#pictureOrder?.isReordered(unit)) this.#warnAboutBFrames()
    const audioPackets = this.#pendingAudio
    this.#pendingAudio = []
    this.#recorder.addFrame(audioPackets.length > 0 ? { ...unit, sound: audioPackets } : unit)
  }

  #warnAboutBFrames(): void {
    this.#pictureOrder = undefined
    warn(
      `${this.#entry.name} sends B-frames, so the hub re-encodes live video while someone watches. To reduce the delay, turn off B-frames in the camera's settings.`,
    )
  }

  #addPendingAudio(packet: AudioPacket): void {
    this.#pendingAudio.push(packet)
    if (this.#pendingAudio.length > MAX_PENDING_AUDIO_PACKETS) this.#pendingAudio.shift()
  }

  #handleAudioState(audioState: 'heard' | 'none' | 'broken'): void {
    const { registration } = this.camera
    if (audioState === 'broken')
      log(`The hub can't decode the audio from ${registration.nickname}. Choose AAC or G.711 in the camera's settings.`)
    const audio = audioState === 'heard'
    if (audio && !this.#isWatchingAudio) this.#mainStream.watchAudio?.((packet) => this.#addPendingAudio(packet))
    this.#isWatchingAudio ||= audio
    if (audio === registration.audio) return
    this.camera.registration = { ...registration, audio }
    this.#parts.changed(this)
  }

  #learnRenditions(): void {
    // Reads the heights later: when the source reports its state, its GOP does not contain the current keyframe yet.
    setImmediate(() => {
      const heights = [this.#subStream, this.#mainStream].map((source) => readFrameHeight(source?.getGop()[0]))
      if (!heights.every((height) => height !== undefined)) return
      this.#releaseSubStream?.()
      this.#releaseSubStream = undefined
      const renditions = [...new Set(heights.map(String))]
      const { registration } = this.camera
      if (renditions.length < 2 || registration.renditions.join() === renditions.join()) return
      this.camera.registration = { ...registration, renditions }
      this.#parts.changed(this)
    })
  }

  #toStreamName(rendition: string): 'main' | 'low' {
    return this.camera.registration.renditions.indexOf(rendition) === 1 ? 'main' : 'low'
  }

  async #storePicture(): Promise<void> {
    const keyframe = this.#mainStream.getGop()[0]
    if (!keyframe) return
    try {
      await storeLastPicture(this.#parts.client, this.camera.deviceId, await encodeJpeg([keyframe]))
    } catch (error) {
      log(`The last frame from ${this.camera.registration.nickname} couldn't be stored: ${getErrorMessage(error)}`)
    }
  }
}

function toRegistration(entry: RtspCamera, order: number): CameraController['registration'] {
  return {
    nickname: entry.name,
    device_model: 'PL-RTSP',
    ...(entry.home && { home_id: entry.home }),
    provider: 'kvs',
    renditions: [SINGLE_STREAM_RENDITION],
    dual: false,
    audio: false,
    battery: false,
    device_order: order,
  }
}
