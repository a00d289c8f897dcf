import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import * as v from 'valibot'
import {
  countCandidates,
  filterCandidate,
  filterDescription,
  type CandidatePolicy,
} from '../../contract/live/ice-candidates.ts'
import { signalToService, type SignalToService } from '../../contract/live/viewer-messages.ts'
import {
  decodePayload,
  encodePayload,
  SIGNALING_PAYLOAD_MAX,
  type SignalFromService,
} from '../../contract/live/signaling.ts'
import { readViewerAttachment, type ViewerAttachment } from './viewer-attachment.ts'

/** Maximum characters of a message: the longest payload, plus space for the surrounding JSON. */
const MESSAGE_MAX_LENGTH = SIGNALING_PAYLOAD_MAX + 2_000
/**
 * Maximum ICE candidates of one viewer per offer or answer: candidates inside the description, plus later candidates.
 */
const MAX_CANDIDATES = 64
const TOO_MANY_CANDIDATES_MESSAGE = `The offer has more than ${MAX_CANDIDATES} ICE candidates. Send a new offer with fewer candidates.`

const descriptionSchema = v.object({ type: v.optional(v.string()), sdp: v.string() })
const iceCandidateSchema = v.object({
  candidate: v.string(),
  sdpMid: v.nullish(v.string()),
  sdpMLineIndex: v.nullish(v.number()),
  usernameFragment: v.nullish(v.string()),
})

/** Result of parsing a signaling message. `message` is null if no part of it may be forwarded. */
type SignalParseResult = { ok: true; message: SignalToService | null } | { ok: false; description: string }
type SignalContent = Pick<SignalToService, 'action' | 'messagePayload'>

/**
 * Filters ICE candidates in messages between viewers and the bridge. LAN addresses pass only if the viewer is a member
 * of the home. Loopback addresses pass only in a local deployment (docs/decisions/0041).
 */
export class SignalingFilter {
  readonly #allowsLoopback: boolean
  /**
   * Number of candidates per viewer, counted from its last offer or answer. The counts are not stored, because the
   * object does not hibernate while messages arrive.
   */
  readonly #candidateCounts = new WeakMap<WorkerSocket, number>()

  /** `allowsLoopback`: true if only this machine can reach the portal and the provider. */
  constructor(allowsLoopback: boolean) {
    this.#allowsLoopback = allowsLoopback
  }

  parseViewerMessage(socket: WorkerSocket, data: string | ArrayBuffer): SignalParseResult {
    if (typeof data !== 'string') return rejectSignal('Messages must be JSON text.')
    if (data.length > MESSAGE_MAX_LENGTH)
      return rejectSignal(`The payload is longer than ${SIGNALING_PAYLOAD_MAX} characters.`)
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), signalToService), data)
    if (!parsed.success)
      return rejectSignal(`The message is malformed: ${v.getDotPath(parsed.issues[0]) ?? 'not JSON'}.`)
    const message = parsed.output
    if (message.action === 'RENDITION') return { ok: true, message }
    const candidateCount = countMessageCandidates(message)
    if (candidateCount === null) return rejectSignal(`The payload isn’t base64-encoded JSON for ${message.action}.`)
    const before = message.action === 'ICE_CANDIDATE' ? (this.#candidateCounts.get(socket) ?? 0) : 0
    this.#candidateCounts.set(socket, Math.min(before + candidateCount, MAX_CANDIDATES + 1))
    if (before + candidateCount > MAX_CANDIDATES) return rejectSignal(TOO_MANY_CANDIDATES_MESSAGE)
    return { ok: true, message: filterMessage(message, this.#getCandidatePolicy(readViewerAttachment(socket), true)) }
  }

  /** Filters a bridge message for a viewer. Returns null if nothing may be forwarded. */
  filterForViewer(viewer: ViewerAttachment, message: SignalFromService): SignalFromService | null {
    const { messageType: action, messagePayload } = message
    if (action !== 'SDP_OFFER' && action !== 'SDP_ANSWER' && action !== 'ICE_CANDIDATE') return message
    const filtered = filterMessage({ action, messagePayload }, this.#getCandidatePolicy(viewer, false))
    return filtered && { ...message, messagePayload: filtered.messagePayload }
  }

  #getCandidatePolicy({ lan = false }: ViewerAttachment, allowsHostNames: boolean): CandidatePolicy {
    return { lan, loopback: this.#allowsLoopback, names: allowsHostNames }
  }
}

/** Counts the ICE candidates in a message. Returns null if the payload does not match the action. */
function countMessageCandidates(message: SignalContent): number | null {
  const { sdp, candidate } = parsePayload(message) ?? {}
  if (sdp !== undefined) return countCandidates(sdp)
  return candidate === undefined ? null : 1
}

/**
 * Returns the message with only known payload fields and permitted ICE candidates. Returns null if nothing may be
 * forwarded.
 */
function filterMessage<M extends SignalContent>(message: M, policy: CandidatePolicy): M | null {
  const payload = parsePayload(message)
  const { sdp, candidate } = payload ?? {}
  const filteredPayload =
    sdp === undefined
      ? { candidate: candidate === undefined ? null : filterCandidate(candidate, policy) }
      : { sdp: filterDescription(sdp, policy) }
  if (filteredPayload.candidate === null) return null
  return { ...message, messagePayload: encodePayload({ ...payload, ...filteredPayload }) }
}

type SignalPayload = { sdp?: string; candidate?: string }

function parsePayload({ action, messagePayload }: SignalContent): SignalPayload | null {
  try {
    const parsed = v.safeParse(
      action === 'ICE_CANDIDATE' ? iceCandidateSchema : descriptionSchema,
      decodePayload(messagePayload),
    )
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

const rejectSignal = (description: string): SignalParseResult => ({ ok: false, description })

/** Returns the response to a rejected message, in the format of Kinesis Video Streams. */
export function toStatusResponse(rejection: Extract<SignalParseResult, { ok: false }>): SignalFromService {
  return {
    messageType: 'STATUS_RESPONSE',
    messagePayload: '',
    statusResponse: { errorType: 'InvalidArgumentException', statusCode: '400', description: rejection.description },
  }
}
