import type { ViewerRelayMessage } from '../../../contract/live/relay-protocol.ts'
import type { SignalToService } from '../../../contract/live/viewer-messages.ts'
import { encodePayload } from '../../../contract/live/signaling.ts'
import {
  createInitialDecision,
  RENDITION_SETTLE_MS,
  decideQuality,
  type QualityDecision,
  type RenditionReason,
  type QualityPreference,
} from './quality-selection.ts'

/** Time after which a rendition request without effect is sent again: a bridge that restarted may have lost it. */
const RESEND_AFTER_MS = 10_000

/**
 * Totals since the transport started, and the current round-trip time. `received` and `lost` count packets. `pictures`
 * counts decoded frames (WebRTC) or received messages (relay).
 */
export interface PlaybackTotals {
  pictures: number
  received: number | null
  lost: number | null
  roundTripMs: number | null
  /** Total duration of stalls, s. */
  frozen: number
}

/** Rendition on the screen, and the reason why it plays. */
export interface DisplayedRendition {
  name: string
  why: RenditionReason
}

export interface QualityControlOptions {
  readonly video: HTMLVideoElement
  /** True if the video arrives over the signaling socket, through the relay. */
  readonly isRelayed: boolean
  /** Rendition chosen for all viewers when the stream was requested; null for none. */
  readonly chosenBefore: string | null
  /** Sends a message on the signaling socket. */
  readonly send: (message: string) => void
}

/** Chooses the rendition of one playing stream. The caller must call `chooseRendition` every second. */
export class QualityControl {
  readonly #video: HTMLVideoElement
  readonly #send: (message: string) => void
  readonly #isRelayed: boolean
  readonly #renditionChosenForAll: string | null
  #quality: QualityDecision | null = null
  #lastTotals: (PlaybackTotals & { at: number }) | null = null
  #requestedAt = -Infinity
  #stallShare = 0

  constructor({ video, isRelayed, chosenBefore, send }: QualityControlOptions) {
    this.#video = video
    this.#send = send
    this.#isRelayed = isRelayed
    this.#renditionChosenForAll = chosenBefore
  }

  /**
   * Returns the rendition on the screen and its reason; the wanted rendition if the size of the video matches none.
   * Returns null if the camera offers fewer than two renditions. Requests another rendition if needed.
   */
  chooseRendition(preference: QualityPreference, totals: PlaybackTotals, now: number): DisplayedRendition | null {
    const lastTotals = this.#lastTotals
    this.#lastTotals = { ...totals, at: now }
    if (preference.offered.length < 2) return null
    const current = this.#currentRendition(preference)
    this.#quality ??= createInitialDecision(current ?? preference.offered[0] ?? '', this.#renditionChosenForAll, now)
    if (lastTotals) this.#updateQuality(preference, totals, lastTotals, now)
    const { name, why, changedAt, cleanSince } = this.#quality
    if (current !== undefined && current !== name && now - this.#requestedAt > RESEND_AFTER_MS)
      this.#requestRendition(name, preference, now)
    if (current === undefined || preference.offered.indexOf(current) >= preference.offered.indexOf(name))
      return { name: current ?? name, why }
    // A better rendition was requested but is not displayed. It is on its way, the link fails to deliver it, or the
    // displayed lens does not have it.
    const isClean = cleanSince !== null && now - Math.max(cleanSince, changedAt) > RESEND_AFTER_MS * 2
    return { name: current, why: now - changedAt <= RENDITION_SETTLE_MS ? 'start' : isClean ? 'sent' : 'link' }
  }

  #updateQuality(
    preference: QualityPreference,
    totals: PlaybackTotals,
    lastTotals: PlaybackTotals & { at: number },
    now: number,
  ): void {
    const before = this.#quality
    if (!before) return
    const seconds = Math.max(0.001, (now - lastTotals.at) / 1000)
    const lost = Math.max(0, (totals.lost ?? 0) - (lastTotals.lost ?? 0))
    const received = Math.max(0, (totals.received ?? 0) - (lastTotals.received ?? 0))
    // Averages the new share with the previous average, because a single stall proves nothing. On a bad link, packets
    // that are resent late cause one stall after another.
    this.#stallShare = (this.#stallShare + Math.max(0, totals.frozen - lastTotals.frozen) / seconds) / 2
    const link = {
      frozen: this.#stallShare,
      lost: lost === 0 ? 0 : lost / (lost + received),
      fps: Math.max(0, totals.pictures - lastTotals.pictures) / seconds,
      roundTripMs: totals.roundTripMs,
    }
    const tileLines = this.#video.clientHeight * devicePixelRatio
    this.#quality = decideQuality(before, preference, link, tileLines, now)
    if (this.#quality.name !== before.name) this.#requestRendition(this.#quality.name, preference, now)
  }

  #currentRendition({ offered }: QualityPreference): string | undefined {
    return offered.find((name) => name === String(this.#video.videoHeight))
  }

  #requestRendition(name: string, { offered }: QualityPreference, now: number): void {
    this.#requestedAt = now
    this.#send(
      JSON.stringify(this.#isRelayed ? toRelayRequest(name === offered[0] ? '' : name) : toCameraRequest(name)),
    )
  }
}

const toCameraRequest = (name: string): SignalToService => ({
  action: 'RENDITION',
  messagePayload: encodePayload({ name }),
})
const toRelayRequest = (name: string): ViewerRelayMessage => ({ action: 'RELAY_RENDITION', name })
