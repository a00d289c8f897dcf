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
import { readViewer, type Viewer } from './viewer-attachment.ts'

/** Room for the JSON around the largest payload. */
const MESSAGE_MAX = SIGNALING_PAYLOAD_MAX + 2_000
/** Candidates of one viewer from one offer to the next, those inside the offer counted. */
const CANDIDATES_MAX = 64
const TOO_MANY = `More than ${CANDIDATES_MAX} candidates came with one offer. Send a new offer with fewer.`

const description = v.object({ type: v.optional(v.string()), sdp: v.string() })
const trickled = v.object({
  candidate: v.string(),
  sdpMid: v.nullish(v.string()),
  sdpMLineIndex: v.nullish(v.number()),
  usernameFragment: v.nullish(v.string()),
})

/** `message` null: there is nothing in it that may be passed on. */
type ReadSignal = { ok: true; message: SignalOut | null } | { ok: false; description: string }
type Passed = Pick<SignalOut, 'action' | 'messagePayload'>

/**
 * What viewers and the bridge say to each other, without candidates that the other may not be told of, or made to send to:
 * addresses at home are for people of the home, and this machine for those at it (docs/decisions/0041).
 */
export class Signals {
  private readonly loopback: boolean
  /** In memory only: an object that has slept was not flooded. */
  private readonly counts = new WeakMap<WorkerSocket, number>()

  /** `loopback`: portal and provider are both reached at this machine only. */
  constructor(loopback: boolean) {
    this.loopback = loopback
  }

  /** Reads what a viewer sent, as it may be passed on to the bridge. */
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

  /** What the bridge says to a viewer, as that may hear it; null: nothing. */
  toViewer(viewer: Viewer, message: SignalIn): SignalIn | null {
    const { messageType: action, messagePayload } = message
    if (action !== 'SDP_OFFER' && action !== 'SDP_ANSWER' && action !== 'ICE_CANDIDATE') return message
    const passed = filter({ action, messagePayload }, this.getCandidatePolicy(viewer, false))
    return passed && { ...message, messagePayload: passed.messagePayload }
  }

  private getCandidatePolicy({ lan = false }: Viewer, names: boolean): CandidatePolicy {
    return { lan, loopback: this.loopback, names }
  }
}

/** How many there are in the message; null when its payload is not that of its kind. */
function candidatesIn(message: Passed): number | null {
  const { sdp, candidate } = parsePayload(message) ?? {}
  if (sdp !== undefined) return countCandidates(sdp)
  return candidate === undefined ? null : 1
}

/** The message as it may be passed on; null: not at all. Of the payload only what is known here goes along. */
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

/** The answer to a message that was not passed on, in the shape of Kinesis Video Streams. */
export function toStatusResponse(rejection: Extract<ReadSignal, { ok: false }>): SignalIn {
  return {
    messageType: 'STATUS_RESPONSE',
    messagePayload: '',
    statusResponse: { errorType: 'InvalidArgumentException', statusCode: '400', description: rejection.description },
  }
}
