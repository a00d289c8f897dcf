interface CameraLine {
  readonly url: string
  readonly sub: string | undefined
  readonly name: string | undefined
}

/** Parses lines of `address [address of the sub-stream] [name]`; skips empty lines and lines that begin with `#`. */
export function parseCameraList(text: string): CameraLine[] {
  return text.split('\n').flatMap((line) => {
    const [url = '', ...rest] = line.trim().split(/\s+/)
    if (url === '' || url.startsWith('#')) return []
    const sub = rest[0]?.includes('://') ? rest.shift() : undefined
    return [{ url, sub, name: rest.join(' ') || undefined }]
  })
}
