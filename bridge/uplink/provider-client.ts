import * as v from 'valibot'
import { BodyTooLargeError, readText } from '../../contract/wire/body-limits.ts'
import {
  BRIDGE_PATHS,
  postEventResponse,
  uploadGrants,
  type BridgeEvent,
  type earlyMedia,
  type PostClipRequest,
  type PostFailureRequest,
  type RegisterCameraRequest,
  type UploadRequest,
  type ProviderMessage,
} from '../../contract/bridge/bridge-protocol.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import type { BridgeIdentity } from './bridge-identity.ts'
import { getErrorMessage } from '../runtime/log.ts'
import { createContentDigest, signBridgeRequest } from './request-signing.ts'

/**
 * Error of a failed request to the provider. `status` is the HTTP status of the response, 0 if the connection failed,
 * or 502 if the response was unusable.
 */
export class ProviderError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }

  /** True if a retry of the request may succeed later. */
  get isTemporary(): boolean {
    return this.status !== 400 && this.status !== 413 && this.status !== 422
  }
}

export type UploadGrant = v.InferOutput<typeof uploadGrants>['data']['grants'][number]

const REQUEST_TIMEOUT_MS = 20_000
/**
 * Clock change in either direction above which the client calls `onClockJump`, ms. A recording that continued over a
 * larger change would have wrong timestamps.
 */
const MIN_CLOCK_JUMP_MS = 2000
/**
 * Minimum upload rate, bytes per ms. The timeout of an upload is `REQUEST_TIMEOUT_MS` plus its duration at this rate.
 */
const MIN_UPLOAD_BYTES_PER_MS = 32

/** Sends signed requests to the provider and tracks its clock. */
export class ProviderClient {
  readonly origin: string
  readonly #identity: BridgeIdentity
  /** Provider's clock minus the local clock, ms. */
  #clockOffsetMs = 0
  onClockJump: () => void = () => undefined
  #storesThumbnails = false

  constructor(origin: string, identity: BridgeIdentity) {
    this.origin = origin
    this.#identity = identity
  }

  /** Returns the provider's time, ms UTC, with fractions. */
  now(): number {
    return performance.timeOrigin + performance.now() + this.#clockOffsetMs
  }

  /** True if the provider stores the thumbnail of an event together with its clip. */
  get storesThumbnails(): boolean {
    return this.#storesThumbnails
  }

  /** Sets the clock and the abilities of the provider. */
  applyWelcome({
    now,
    stores_thumbnails,
  }: Pick<Extract<ProviderMessage, { type: 'welcome' }>, 'now' | 'stores_thumbnails'>): void {
    this.learnClockOffset(String(now))
    this.#storesThumbnails = stores_thumbnails === true
  }

  /**
   * Sets the clock from the provider's time, ms UTC: an `x-provider-time` header or the time in a welcome message.
   * Returns true if the clock was off by more than a second; false without a valid time.
   */
  learnClockOffset(timeText: string | null | undefined): boolean {
    const time = Number(timeText)
    if (!timeText || !Number.isFinite(time)) return false
    const changeMs = time - this.now()
    // A difference of less than 200 ms may only be network delay.
    if (Math.abs(changeMs) > 200) this.advanceClock(changeMs)
    return Math.abs(changeMs) > 1000
  }

  /** Advances the clock by `changeMs` ms. Called after sleep, or if the provider's clock differs. */
  advanceClock(changeMs: number): void {
    this.#clockOffsetMs += changeMs
    if (Math.abs(changeMs) > MIN_CLOCK_JUMP_MS) this.onClockJump()
  }

  createHeaders(method: string, path: string, body: Buffer | string): Record<string, string> {
    const time = Math.round(this.now())
    return {
      authorization: `Bridge ${this.#identity.bridgeId}`,
      'x-bridge-time': String(time),
      'content-digest': createContentDigest(body),
      'x-bridge-signature': signBridgeRequest(this.#identity.key, method, path, time, body),
    }
  }

  async registerCamera(deviceId: string, camera: RegisterCameraRequest): Promise<void> {
    await this.#call('PUT', `${BRIDGE_PATHS.cameras}/${deviceId}`, camera)
  }

  async removeCamera(deviceId: string): Promise<void> {
    await this.#call('DELETE', `${BRIDGE_PATHS.cameras}/${deviceId}`)
  }

  async requestGrants(request: UploadRequest): Promise<UploadGrant[]> {
    const response = v.parse(uploadGrants, await this.#call('POST', BRIDGE_PATHS.uploads, request))
    return response.data.grants
  }

  /** Posts an event. Returns an upload grant for the clip if `early.clip_length` is given and the event is new. */
  async postEvent(event: BridgeEvent, early?: v.InferOutput<typeof earlyMedia>): Promise<UploadGrant | null> {
    const answer = await this.#call('POST', BRIDGE_PATHS.events, { event, ...(early && { early }) })
    return early ? (v.parse(postEventResponse, answer).clip_grant ?? null) : null
  }

  async postClip(clip: PostClipRequest): Promise<void> {
    await this.#call('POST', BRIDGE_PATHS.clip, clip)
  }

  async postHistory(deviceId: string, events: readonly BridgeEvent[]): Promise<void> {
    await this.#call('POST', BRIDGE_PATHS.history, { device_id: deviceId, events })
  }

  async postFailure(failure: PostFailureRequest): Promise<void> {
    await this.#call('POST', BRIDGE_PATHS.failures, failure)
  }

  /** Uploads to the origin of this client, because the bridge may be unable to reach the provider's public origin. */
  async uploadObject(grant: UploadGrant, type: string, bytes: Buffer): Promise<void> {
    const { pathname, search } = new URL(grant.url, this.origin)
    const response = await this.#fetch(new URL(pathname + search, this.origin), {
      method: 'PUT',
      headers: { 'content-type': type, 'content-length': String(bytes.length) },
      body: new Uint8Array(bytes),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS + Math.round(bytes.length / MIN_UPLOAD_BYTES_PER_MS)),
    })
    await readResponseText(response)
    if (!response.ok) throw new ProviderError(response.status, `the upload was rejected with ${response.status}`)
  }

  async #call(method: string, path: string, payload?: unknown, mayRetry = true): Promise<unknown> {
    const body = payload === undefined ? '' : JSON.stringify(payload)
    const headers = this.createHeaders(method, path, body)
    const init: RequestInit = { method, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } }
    const response = await this.#fetch(new URL(path, this.origin), body ? { ...init, body } : init)
    const text = await readResponseText(response)
    const clockWasOff = response.status === 401 && this.learnClockOffset(response.headers.get('x-provider-time'))
    if (clockWasOff && mayRetry) return this.#call(method, path, payload, false)
    if (!response.ok)
      throw new ProviderError(
        response.status,
        `${method} ${path} was rejected with ${response.status}: ${text.slice(0, 200)}`,
      )
    try {
      return JSON.parse(text)
    } catch {
      throw new ProviderError(502, `${method} ${path} didn't return JSON`)
    }
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...init, redirect: 'error' })
    } catch (error) {
      throw new ProviderError(0, getErrorMessage(error))
    }
  }
}

/** Returns the body. Throws ProviderError if the connection breaks or the body exceeds `READ_BYTES_MAX.answer`. */
async function readResponseText(response: Response): Promise<string> {
  try {
    return await readText(response, READ_BYTES_MAX.answer)
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      throw new ProviderError(502, `a response is larger than ${error.maxBytes} bytes`)
    throw new ProviderError(0, getErrorMessage(error))
  }
}
