import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import * as v from 'valibot'
import {
  countCandidates,
  filterCandidate,
  filterDescription,
  type CandidatePolicy,
} from '../../contract/live/ice-candidates.ts'
import { signalOut, type SignalOut } from '../../contract/live/viewer-messages.ts'
import { decodePayload, encodePayload, SIGNALING_PAYLOAD_MAX, type SignalIn } from '../../contract/live/signaling.ts'
import { readViewer, type ViewerAttachment } from './viewer-attachment.ts'

/** Maximum length of a message: the longest payload, plus room for the JSON around it. */
const MESSAGE_MAX = SIGNALING_PAYLOAD_MAX + 2_000
/** Maximum candidates of one viewer between two offers, including those inside the offer. */
const CANDIDATES_MAX = 64
const TOO_MANY = `More than ${CANDIDATES_MAX} candidates came with one offer. Send a new offer with fewer.`

const description = v.object({ type: v.optional(v.string()), sdp: v.string() })
const trickled = v.object({
  candidate: v.string(),
  sdpMid: v.nullish(v.string()),
  sdpMLineIndex: v.nullish(v.number()),
  usernameFragment: v.nullish(v.string()),
})

/** `message` is null if nothing in it may be forwarded. */
type ReadSignal = { ok: true; message: SignalOut | null } | { ok: false; description: string }
type Passed = Pick<SignalOut, 'action' | 'messagePayload'>

/**
 * Filters signaling between viewers and the bridge by ICE candidate: LAN addresses are only for members of the home,
 * loopback addresses only for a local deployment (docs/decisions/0041).
 */
export class Signals {
  private readonly loopback: boolean
  /** Number of candidates per viewer. In memory only: an object that had time to hibernate was not flooded. */
  private readonly counts = new WeakMap<WorkerSocket, number>()

  /** `loopback`: portal and provider are both reachable on this machine only. */
  constructor(loopback: boolean) {
    this.loopback = loopback
  }

  /** Parses and filters a viewer's message for the bridge. */
  read(socket: WorkerSocket, data: string | ArrayBuffer): ReadSignal {
    if (typeof data !== 'string') return refuse('Messages are JSON text.')
    if (data.length > MESSAGE_MAX) return refuse(`The payload is larger than ${SIGNALING_PAYLOAD_MAX} characters.`)
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), signalOut), data)
    if (!parsed.success) return refuse(`The message is malformed: ${v.getDotPath(parsed.issues[0]) ?? 'not JSON'}.`)
    const message = parsed.output
    if (message.action === 'RENDITION') return { ok: true, message }
    const added = candidatesIn(message)
    if (added === null) return refuse(`The payload is not base64 of the JSON of ${message.action}.`)
    const before = message.action === 'ICE_CANDIDATE' ? (this.counts.get(socket) ?? 0) : 0
    this.counts.set(socket, Math.min(before + added, CANDIDATES_MAX + 1))
    if (before + added > CANDIDATES_MAX) return refuse(TOO_MANY)
    return { ok: true, message: filter(message, this.getCandidatePolicy(readViewer(socket), true)) }
  }

  /** Filters a bridge message for a viewer; null if nothing may be forwarded. */
  toViewer(viewer: ViewerAttachment, message: SignalIn): SignalIn | null {
    const { messageType: action, messagePayload } = message
    if (action !== 'SDP_OFFER' && action !== 'SDP_ANSWER' && action !== 'ICE_CANDIDATE') return message
    const passed = filter({ action, messagePayload }, this.getCandidatePolicy(viewer, false))
    return passed && { ...message, messagePayload: passed.messagePayload }
  }

  private getCandidatePolicy({ lan = false }: ViewerAttachment, names: boolean): CandidatePolicy {
    return { lan, loopback: this.loopback, names }
  }
}

/** Counts the candidates of a message; null if the payload does not match its kind. */
function candidatesIn(message: Passed): number | null {
  const { sdp, candidate } = parsePayload(message) ?? {}
  if (sdp !== undefined) return countCandidates(sdp)
  return candidate === undefined ? null : 1
}

/**
 * Returns the message with only the known payload fields and the ICE candidates that may be forwarded. Returns null if
 * nothing may be forwarded.
 */
function filter<M extends Passed>(message: M, policy: CandidatePolicy): M | null {
  const payload = parsePayload(message)
  const { sdp, candidate } = payload ?? {}
  const filteredPayload =
    sdp === undefined
      ? { candidate: candidate === undefined ? null : filterCandidate(candidate, policy) }
      : { sdp: filterDescription(sdp, policy) }
  if (filteredPayload.candidate === null) return null
  return { ...message, messagePayload: encodePayload({ ...payload, ...filteredPayload }) }
}

type Payload = { sdp?: string; candidate?: string }

function parsePayload({ action, messagePayload }: Passed): Payload | null {
  try {
    const parsed = v.safeParse(action === 'ICE_CANDIDATE' ? trickled : description, decodePayload(messagePayload))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

const refuse = (description: string): ReadSignal => ({ ok: false, description })

/** Returns the response to a rejected message, in the format of Kinesis Video Streams. */
export function toStatusResponse(rejection: Extract<ReadSignal, { ok: false }>): SignalIn {
  return {
    messageType: 'STATUS_RESPONSE',
    messagePayload: '',
    statusResponse: { errorType: 'InvalidArgumentException', statusCode: '400', description: rejection.description },
  }
}
