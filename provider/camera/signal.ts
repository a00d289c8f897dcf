import * as v from 'valibot'
import { signalOut, type SignalOut } from '../../contract/signal-out.ts'
import { SIGNALLING_PAYLOAD_MAX, type SignalIn } from '../../contract/signalling.ts'

/** Room for the JSON around the largest payload. */
const MESSAGE_MAX = SIGNALLING_PAYLOAD_MAX + 2_000

export type ReadSignal = { ok: true; message: SignalOut } | { ok: false; description: string }

/** Reads what a viewer sent. */
export function readSignal(data: string | ArrayBuffer): ReadSignal {
  if (typeof data !== 'string') return refuse('Messages are JSON text.')
  if (data.length > MESSAGE_MAX) return refuse(`The payload is larger than ${SIGNALLING_PAYLOAD_MAX} characters.`)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), signalOut), data)
  if (parsed.success) return { ok: true, message: parsed.output }
  return refuse(`The message is malformed: ${v.getDotPath(parsed.issues[0]) ?? 'not JSON'}.`)
}

const refuse = (description: string): ReadSignal => ({ ok: false, description })

/** The answer to a message that was not passed on, in the shape of Kinesis Video Streams. */
export function refusalOf(refused: Extract<ReadSignal, { ok: false }>): SignalIn {
  return {
    messageType: 'STATUS_RESPONSE',
    messagePayload: '',
    statusResponse: { errorType: 'InvalidArgumentException', statusCode: '400', description: refused.description },
  }
}
