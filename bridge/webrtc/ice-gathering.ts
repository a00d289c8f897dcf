import type { RTCPeerConnection } from 'werift'
import type { IceServers } from '../../contract/live/ice-servers.ts'

/** Timeout for ICE gathering, ms. Viewers on the same network must not wait for a slow STUN or TURN server. */
export const GATHERING_TIMEOUT_MS = 2000

interface SelectedIceServer {
  readonly urls: string
  readonly username?: string
  readonly credential?: string
}

/** URLs of TURN servers that returned no relay candidate, per server list. */
const serversWithoutCandidate = new WeakMap<IceServers, Set<string>>()
const isOverUdp = ({ urls }: SelectedIceServer) => /^turn:/i.test(urls) && !/\btransport=tcp\b/i.test(urls)

/**
 * Chooses one STUN and one TURN server, because werift supports only one of each. Prefers TURN over UDP to TCP and TLS.
 * Skips TURN servers that returned no candidate, because a network that blocks UDP may allow TCP or TLS.
 */
export function chooseIceServers(servers: IceServers): SelectedIceServer[] {
  const all = servers.flatMap(({ urls, username, credential }) =>
    urls.map((url) => ({ urls: url, ...(username && credential && { username, credential }) })),
  )
  const stun = all.find(({ urls }) => /^stun:/i.test(urls))
  const turns = all.filter(({ urls, username }) => /^turns?:/i.test(urls) && username !== undefined)
  const orderedTurns = [...turns.filter(isOverUdp), ...turns.filter((server) => !isOverUdp(server))]
  const turn = orderedTurns.find(({ urls }) => !serversWithoutCandidate.get(servers)?.has(urls)) ?? orderedTurns[0]
  return [stun, turn].filter((server) => server !== undefined)
}

/** Remembers a TURN server that returned no relay candidate. If all servers have failed, allows all of them again. */
export function markServerWithoutCandidate(servers: IceServers, connection: RTCPeerConnection): void {
  const turnServer = connection.getConfiguration().iceServers?.find(({ urls }) => /^turns?:/i.test(String(urls)))
  const candidates = connection.iceTransports.flatMap(({ localCandidates }) => localCandidates)
  if (!turnServer || candidates.some(({ type }) => type === 'relay')) return
  const silentUrls = serversWithoutCandidate.get(servers) ?? new Set()
  serversWithoutCandidate.set(servers, silentUrls.add(String(turnServer.urls)))
  const next = chooseIceServers(servers).find(({ urls }) => /^turns?:/i.test(urls))
  if (next && silentUrls.has(next.urls)) silentUrls.clear()
}

/** Removes werift's default third-party STUN server, because only configured servers may learn about viewers. */
export function disableDefaultStunServer(connection: RTCPeerConnection): void {
  const isConfigured = connection.getConfiguration().iceServers?.some(({ urls }) => /^stun:/i.test(String(urls)))
  if (isConfigured) return
  for (const { connection: ice } of connection.iceTransports) delete ice.stunServer
}

/**
 * Gathers ICE candidates for at most `GATHERING_TIMEOUT_MS`. If `isClosed` returns true after a transport has finished
 * gathering, closes that transport.
 */
export async function gatherCandidates(connection: RTCPeerConnection, isClosed: () => boolean): Promise<void> {
  disableDefaultStunServer(connection)
  const gathering = Promise.all(
    connection.iceTransports.map(async (transport) => {
      await transport.gather()
      if (isClosed()) await transport.connection.close()
    }),
  )
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, GATHERING_TIMEOUT_MS)
  await Promise.race([gathering.catch(() => undefined), late.promise])
  clearTimeout(timer)
}
