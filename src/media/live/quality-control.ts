import type { RelayOut } from '../../../contract/live/relay-protocol.ts'
import type { SignalOut } from '../../../contract/live/viewer-messages.ts'
import { encodePayload } from '../../../contract/live/signaling.ts'
import {
  firstQuality,
  SETTLE_MS,
  wantedRendition,
  type Quality,
  type RenditionReason,
  type QualityPreference,
} from './quality-selection.ts'

/** Time after which a rendition request without effect is sent again: a bridge that restarted may have lost it. */
const AGAIN_MS = 10_000

/** Totals since the transport started. */
export interface PlaybackTotals {
  pictures: number
  received: number | null
  lost: number | null
  roundTripMs: number | null
  /** Total duration of stalls, s. */
  frozen: number
}

/** Rendition on screen, and the reason for it. */
export interface Rendition {
  name: string
  why: RenditionReason
}

export interface Controlled {
  readonly video: HTMLVideoElement
  /** True if the video uses the signaling socket too. */
  readonly isRelayed: boolean
  /** Rendition chosen for all viewers when the stream was requested. */
  readonly chosenBefore: string | null
  /** Sends a message on the signaling socket. */
  readonly send: (message: string) => void
}

/** Checks one playing stream every second, and requests another rendition if it fits better. */
export class QualityControl {
  private readonly video: HTMLVideoElement
  private readonly send: (message: string) => void
  private readonly isRelayed: boolean
  private readonly chosenBefore: string | null
  private quality: Quality | null = null
  private last: (PlaybackTotals & { at: number }) | null = null
  private askedAt = -Infinity
  private frozen = 0

  constructor({ video, isRelayed, chosenBefore, send }: Controlled) {
    this.video = video
    this.send = send
    this.isRelayed = isRelayed
    this.chosenBefore = chosenBefore
  }

  /**
   * Returns the rendition on screen and its reason; null if the camera has only one. Requests another rendition if
   * needed.
   */
  chooseRendition(wish: QualityPreference, brought: PlaybackTotals, now: number): Rendition | null {
    const { last } = this
    this.last = { ...brought, at: now }
    if (wish.offered.length < 2) return null
    const current = this.currentRendition(wish)
    this.quality ??= firstQuality(current ?? wish.offered[0] ?? '', this.chosenBefore, now)
    if (last) this.decide(wish, brought, last, now)
    const { name, why, changedAt, cleanFrom } = this.quality
    if (current !== undefined && current !== name && now - this.askedAt > AGAIN_MS)
      this.requestRendition(name, wish, now)
    if (current === undefined || wish.offered.indexOf(current) >= wish.offered.indexOf(name))
      return { name: current ?? name, why }
    // A better rendition is wanted but not displayed: it is on its way, the link does not deliver it, or the displayed
    // lens has no better one.
    const isClean = cleanFrom !== null && now - Math.max(cleanFrom, changedAt) > AGAIN_MS * 2
    return { name: current, why: now - changedAt <= SETTLE_MS ? 'start' : isClean ? 'sent' : 'link' }
  }

  private decide(
    wish: QualityPreference,
    brought: PlaybackTotals,
    last: PlaybackTotals & { at: number },
    now: number,
  ): void {
    const before = this.quality
    if (!before) return
    const seconds = Math.max(0.001, (now - last.at) / 1000)
    const lost = Math.max(0, (brought.lost ?? 0) - (last.lost ?? 0))
    const received = Math.max(0, (brought.received ?? 0) - (last.received ?? 0))
    // Averages the stalls: a single one proves nothing, but late retransmissions of lost packets cause one stall after
    // another.
    this.frozen = (this.frozen + Math.max(0, brought.frozen - last.frozen) / seconds) / 2
    const link = {
      frozen: this.frozen,
      lost: lost === 0 ? 0 : lost / (lost + received),
      fps: Math.max(0, brought.pictures - last.pictures) / seconds,
      roundTripMs: brought.roundTripMs,
    }
    const tile = this.video.clientHeight * devicePixelRatio
    this.quality = wantedRendition(before, wish, link, tile, now)
    if (this.quality.name !== before.name) this.requestRendition(this.quality.name, wish, now)
  }

  /** Returns the offered rendition whose name is the number of lines of the video. */
  private currentRendition({ offered }: QualityPreference): string | undefined {
    return offered.find((name) => name === String(this.video.videoHeight))
  }

  private requestRendition(name: string, { offered }: QualityPreference, now: number): void {
    this.askedAt = now
    this.send(JSON.stringify(this.isRelayed ? toRelay(name === offered[0] ? '' : name) : toCamera(name)))
  }
}

const toCamera = (name: string): SignalOut => ({ action: 'RENDITION', messagePayload: encodePayload({ name }) })
const toRelay = (name: string): RelayOut => ({ action: 'RELAY_RENDITION', name })
