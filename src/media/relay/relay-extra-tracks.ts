import { RELAY_BESIDE, type RelayOut } from '../../../contract/live/relay-protocol.ts'
import { readRelayMessage, type RelayMessage } from './relay-message.ts'
import { RelayPlayer, RelayMediaSource } from './relay-player.ts'

/** Maximum number of audio messages cached for another element, 100 ms each. */
const KEPT_MAX = 10
const KIND = 0x0f

export interface BesideHooks {
  readonly relay: RelayPlayer
  readonly dual: boolean
  readonly audio: boolean
  send(message: RelayOut): void
  /** Restarts the main video, with or without audio. */
  again(): void
}

/** Extra tracks of a relay that runs without WebRTC: the inset of a dual-lens camera, and audio on request. */
export class RelayExtraTracks {
  private readonly hooks: BesideHooks
  private readonly inset: RelayPlayer
  private wantsSound = false
  /** Audio state last requested from the camera; null before the first request. */
  private told: boolean | null = null
  /** Initialization segment of the audio, and its newest messages. */
  private sound: RelayMessage[] = []
  private stage: SoundStage | null = null

  constructor(hooks: BesideHooks) {
    this.hooks = hooks
    this.inset = new RelayPlayer({ send: (message) => hooks.send(message), failed: () => this.inset.restage() })
    hooks.relay.stageOf = (...media) => this.createStage(...media)
  }

  attachInset(video: HTMLVideoElement | null): void {
    if (this.hooks.dual) this.inset.attach(video)
  }

  /**
   * Turns the audio on or off. Must be called in a click handler, because browsers block audio without a user gesture.
   */
  setSound(on: boolean): void {
    if (on === this.wantsSound || !this.hooks.audio) return
    this.wantsSound = on
    if (!on) this.dropSound()
  }

  /**
   * Returns true if the message belongs to an extra track. Also sends pending requests, because any message shows that
   * the socket is open.
   */
  receive(data: ArrayBuffer): boolean {
    if (this.told !== this.wantsSound && (this.hooks.dual || this.wantsSound || this.told)) this.requestTracks()
    const bytes = new Uint8Array(data)
    const [kind = 0] = bytes
    if (kind <= KIND) return false
    bytes[0] = kind & KIND
    if (kind - (kind & KIND) === RELAY_BESIDE.inset) this.inset.push(data)
    else this.hear(readRelayMessage(data))
    return true
  }

  close(): void {
    this.inset.close()
    this.stage = null
  }

  private requestTracks(): void {
    this.told = this.wantsSound
    this.hooks.send({ action: 'RELAY_BESIDE', inset: this.hooks.dual, sound: this.wantsSound })
  }

  private hear(message: RelayMessage | null): void {
    const { relay, again } = this.hooks
    relay.acknowledge()
    if (!message || !this.wantsSound) return
    const [init] = this.sound
    if (message.kind === 'init') this.sound = [{ ...message, type: message.type.replace('video', 'audio') }]
    else if (init) this.sound = [init, ...this.sound.slice(1).slice(1 - KEPT_MAX), message]
    if (this.sound.length < 2 || !relay.isBegun) return
    if (this.stage) this.stage.hear(message)
    else again()
  }

  private createStage(...[video, source, failed]: ConstructorParameters<typeof RelayMediaSource>): RelayMediaSource {
    this.stage = null
    if (this.sound.length < 2) return new RelayMediaSource(video, source, failed)
    // If the browser cannot play the audio, the video continues without it.
    const stage = new SoundStage(video, source, () => (this.stage ? this.dropSound() : failed()), this.sound)
    this.stage = stage
    return stage
  }

  private dropSound(): void {
    const hadSound = this.stage !== null
    this.sound = []
    this.stage = null
    if (hadSound) this.hooks.again()
  }
}

/** Media source with a second buffer that keeps audio and video in sync. */
class SoundStage extends RelayMediaSource {
  private readonly sounds: RelayMessage[]
  private heard: SourceBuffer | null = null

  constructor(video: HTMLVideoElement, source: MediaSource, failed: () => void, sounds: readonly RelayMessage[]) {
    super(video, source, failed)
    this.sounds = [...sounds]
  }

  hear(message: RelayMessage): void {
    const isOver = this.heard !== null && this.source.readyState === 'closed'
    if (!isOver) this.sounds.push(message)
    this.pumpSound()
  }

  /** Both buffers must exist before the first one gets its initialization segment. */
  protected override start(): void {
    const [init] = this.sounds
    try {
      this.heard = init?.kind === 'init' ? this.source.addSourceBuffer(init.type) : null
    } catch {
      return this.failed()
    }
    this.heard?.addEventListener('updateend', () => {
      this.syncToLiveEdge()
      this.pumpSound()
    })
    super.start()
    this.pumpSound()
  }

  private pumpSound(): void {
    const { heard: audioBuffer } = this
    if (this.source.readyState !== 'open' || !audioBuffer || audioBuffer.updating) return
    try {
      const [next] = this.sounds
      if (!next || this.lighten(audioBuffer)) return
      this.sounds.shift()
      audioBuffer.appendBuffer(next.bytes)
    } catch {
      this.failed()
    }
  }
}
