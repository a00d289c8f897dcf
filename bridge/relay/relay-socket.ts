import WebSocket from 'ws'
import { BRIDGE_PATHS } from '../../contract/bridge/bridge-protocol.ts'
import { RENDITION_PARAMETER } from '../../contract/live/relay-protocol.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import type { ProviderClient } from '../uplink/provider-client.ts'
import type { OpenRelay } from './video-relay.ts'

const HANDSHAKE_TIMEOUT_MS = 8000

/**
 * Returns a function that opens relay sockets to the provider with the bridge's signed headers. The sockets do not
 * reconnect, because the provider or a viewer requests a lost relay again.
 */
export function createRelayOpener(client: ProviderClient): OpenRelay {
  return (deviceId, rendition, ended) => {
    const query = rendition === '' ? '' : `?${RENDITION_PARAMETER}=${encodeURIComponent(rendition)}`
    const path = `${BRIDGE_PATHS.relay}/${deviceId}${query}`
    const url = new URL(path, client.origin)
    url.protocol = url.protocol.replace('http', 'ws')
    const headers = client.createHeaders('GET', path, '')
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      perMessageDeflate: false,
      maxPayload: READ_BYTES_MAX.answer,
    })
    const pendingMessages: Buffer[] = []
    let hasEnded = false
    const end = () => {
      if (hasEnded) return
      hasEnded = true
      ended()
    }
    socket.on('open', () => {
      for (const message of pendingMessages.splice(0)) socket.send(message)
    })
    socket.on('error', () => undefined)
    socket.on('close', end)
    return {
      send(message) {
        if (socket.readyState === WebSocket.CONNECTING) pendingMessages.push(message)
        else if (socket.readyState === WebSocket.OPEN) socket.send(message)
      },
      get waiting() {
        return socket.bufferedAmount + pendingMessages.reduce((sum, message) => sum + message.length, 0)
      },
      get isOpen() {
        return !hasEnded && socket.readyState <= WebSocket.OPEN
      },
      close() {
        hasEnded = true
        socket.close()
      },
    }
  }
}
