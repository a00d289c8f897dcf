import * as v from 'valibot'
import { bridgeMessage, type BridgeMessage } from '../../contract/bridge.ts'

const readable = v.pipe(v.string(), v.maxLength(200_000), v.parseJson(), bridgeMessage)

/** A message of the control socket, or null when it is not one of the contract. */
export function readBridgeMessage(data: string | ArrayBuffer): BridgeMessage | null {
  const parsed = v.safeParse(readable, data)
  return parsed.success ? parsed.output : null
}
