import type { RTCPeerConnection } from 'werift'
import type { IceServers } from '../../contract/ice.ts'

/** A server that has not answered by then is done without: whoever is on the same network shall not wait for it. */
export const GATHER_MS = 2000

interface Server {
  readonly urls: string
  readonly username?: string
  readonly credential?: string
}

/** werift takes one STUN and one TURN server: the first ones, TURN over UDP before TCP and TLS. */
export function chooseServers(servers: IceServers): Server[] {
  const all = servers.flatMap(({ urls, username, credential }) =>
    urls.map((url) => ({ urls: url, ...(username && credential && { username, credential }) })),
  )
  const stun = all.find(({ urls }) => /^stun:/i.test(urls))
  const turns = all.filter(({ urls, username }) => /^turns?:/i.test(urls) && username !== undefined)
  const turn = turns.find(({ urls }) => /^turn:(?!.*\btransport=tcp\b)/i.test(urls)) ?? turns[0]
  return [stun, turn].filter((server) => server !== undefined)
}

/** Without a STUN server of its own werift asks one of a third party; only those that are configured shall know of viewers. */
export function askNoStrangers(connection: RTCPeerConnection): void {
  const isConfigured = connection.getConfiguration().iceServers?.some(({ urls }) => /^stun:/i.test(String(urls)))
  if (isConfigured) return
  for (const { connection: ice } of connection.iceTransports) delete ice.stunServer
}

/** Gathers the candidates for a local description, for `GATHER_MS` at most. What comes once it `isOver` is let go of. */
export async function gather(connection: RTCPeerConnection, isOver: () => boolean): Promise<void> {
  askNoStrangers(connection)
  const all = Promise.all(
    connection.iceTransports.map(async (transport) => {
      await transport.gather()
      if (isOver()) await transport.connection.close()
    }),
  )
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, GATHER_MS)
  await Promise.race([all.catch(() => undefined), late.promise])
  clearTimeout(timer)
}
