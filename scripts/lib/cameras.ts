import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { StartOptions } from './args.ts'
import { Stop } from './stop.ts'

/** Adds and removes RTSP cameras through the bridge's own command, before the bridge starts. */
export function changeCameras(root: string, data: string, options: StartOptions, say: (line: string) => void): void {
  const listed = options.cameraFile === null ? [] : cameraLines(readList(options.cameraFile))
  for (const { addresses, name } of [...options.cameras.map((url) => ({ addresses: [url], name: '' })), ...listed]) {
    const args = ['add-camera', '-', '--data', data, ...(name ? ['--name', name] : [])]
    // An address holds a password, and arguments can be read by others: it goes in through standard input.
    bridgeCommand(root, args, addresses.join('\n'), say)
  }
  for (const name of options.remove) bridgeCommand(root, ['remove-camera', name, '--data', data], '', say)
}

function readList(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new Stop(`The list of cameras ${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** Lines of `address [address of the sub-stream] [name]`; empty lines and those that begin with `#` say nothing. */
export function cameraLines(text: string): { addresses: string[]; name: string }[] {
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/)
    if (words[0] === '' || words[0]?.startsWith('#')) return []
    const addresses = words.slice(0, words[1]?.includes('://') ? 2 : 1)
    return [{ addresses, name: words.slice(addresses.length).join(' ') }]
  })
}

function bridgeCommand(root: string, args: readonly string[], input: string, say: (line: string) => void): void {
  const done = spawnSync(process.execPath, ['bridge/main.ts', ...args], { cwd: root, input, encoding: 'utf8' })
  if (done.status !== 0) throw new Stop(done.stderr.trim() || done.stdout.trim())
  if (done.stdout.trim()) say(done.stdout.trim())
}
