/** A line of a list of cameras: its address with credentials, that of its sub-stream, and its name. */
interface CameraLine {
  readonly url: string
  readonly sub: string | undefined
  readonly name: string | undefined
}

/** Lines of `address [address of the sub-stream] [name]`; empty lines and those that begin with `#` say nothing. */
export function cameraLines(text: string): CameraLine[] {
  return text.split('\n').flatMap((line) => {
    const [url = '', ...rest] = line.trim().split(/\s+/)
    if (url === '' || url.startsWith('#')) return []
    const sub = rest[0]?.includes('://') ? rest.shift() : undefined
    return [{ url, sub, name: rest.join(' ') || undefined }]
  })
}
