import { spawnSync } from 'node:child_process'
import type { StartOptions } from './args.ts'
import { Stop } from './stop.ts'

/** Adds and removes RTSP cameras through the bridge's own command, before the bridge starts. */
export function changeCameras(root: string, data: string, options: StartOptions, say: (line: string) => void): void {
  // The address holds a password, and arguments can be read by others: it goes in through standard input.
  for (const url of options.cameras) bridgeCommand(root, ['add-camera', '-', '--data', data], url, say)
  for (const name of options.remove) bridgeCommand(root, ['remove-camera', name, '--data', data], '', say)
}

function bridgeCommand(root: string, args: readonly string[], input: string, say: (line: string) => void): void {
  const done = spawnSync(process.execPath, ['bridge/main.ts', ...args], { cwd: root, input, encoding: 'utf8' })
  if (done.status !== 0) throw new Stop(done.stderr.trim() || done.stdout.trim())
  if (done.stdout.trim()) say(done.stdout.trim())
}
