import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'

const PATIENCE_MS = 4000

/** What a camera's door says before any picture: a sentence when it is shut, else its own time if it tells it. */
export type Knock = { readonly wrong: string } | { readonly clock: Date | undefined }

/** Looks up the name, opens the port and says OPTIONS (RFC 2326 §10.1). */
export async function knock(url: URL): Promise<Knock> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (url.protocol === 'rtsps:' ? 322 : 554)
  try {
    await lookup(host)
  } catch {
    return { wrong: `The name ${host} is unknown in this network. Use the camera's IP address; the router lists it.` }
  }
  // Inside TLS nothing can be read this way.
  const answer = await options(host, port, url.protocol === 'rtsps:')
  if ('wrong' in answer || url.protocol === 'rtsps:') return answer
  const time = /^Date: *(.+)$/im.exec(answer.text)?.[1]
  const clock = time === undefined ? undefined : new Date(time)
  if (/^RTSP\/1\.\d \d/.test(answer.text)) return { clock: clock && !isNaN(clock.getTime()) ? clock : undefined }
  return {
    wrong: `Something answers at port ${port} of ${host}, but it does not speak RTSP. RTSP is usually port 554.`,
  }
}

function options(
  host: string,
  port: number,
  onlyOpen: boolean,
): Promise<{ wrong: string } | { text: string; clock: undefined }> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const done = (result: { wrong: string } | { text: string; clock: undefined }) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(result)
    }
    let open = false
    const timer = setTimeout(() => {
      const wrong = open
        ? `Port ${port} of ${host} is open, but nothing answers there. Is it the RTSP port? Usually it is 554.`
        : `${host} gives no answer. Check that the camera is on, in this network, and that its address is right.`
      done({ wrong })
    }, PATIENCE_MS)
    socket.on('connect', () => {
      open = true
      if (onlyOpen) return done({ text: '', clock: undefined })
      socket.write(`OPTIONS rtsp://${host}:${port}/ RTSP/1.0\r\nCSeq: 1\r\n\r\n`)
    })
    let text = ''
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (text.includes('\r\n\r\n') || text.length > 4000 || !'RTSP'.startsWith(text.slice(0, 4)))
        done({ text, clock: undefined })
    })
    socket.on('error', (error: NodeJS.ErrnoException) => done({ wrong: closed(host, port, error.code) }))
    socket.on('close', () => done({ text, clock: undefined }))
  })
}

function closed(host: string, port: number, code = ''): string {
  if (code === 'ECONNREFUSED')
    return `${host} is there, but its port ${port} is closed. Switch RTSP on in the camera, or correct the port.`
  return `${host} cannot be reached over the network. Check that the camera is on and connected.`
}
