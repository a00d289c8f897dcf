import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { StartOptions } from './args.ts'
import { Stop } from './stop.ts'

/** Adds and removes RTSP cameras through the bridge's own commands, before the bridge starts. */
export function changeCameras(root: string, data: string, options: StartOptions, say: (line: string) => void): void {
  const listed = options.cameraFile === null ? '' : readList(options.cameraFile)
  const lines = [...options.cameras, listed].join('\n')
  // Addresses contain passwords, and other users can read process arguments, so the bridge reads the addresses from
  // standard input.
  if (lines !== '') bridgeCommand(root, ['add-cameras', '--data', data], lines, say)
  for (const name of options.remove) bridgeCommand(root, ['remove-camera', name, '--data', data], '', say)
}

function readList(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new Stop(`The list of cameras ${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Checks the bridge's files before anything starts. Throws a `Stop` with the bridge's message, which names the damaged
 * file.
 */
export function checkBridgeFiles(root: string, data: string): void {
  run(root, ['bridge/check-files.ts', data], '')
}

function bridgeCommand(root: string, args: readonly string[], input: string, say: (line: string) => void): void {
  const output = run(root, ['bridge/main.ts', ...args], input)
  if (output) say(output)
}

function run(root: string, args: readonly string[], input: string): string {
  const done = spawnSync(process.execPath, args, { cwd: root, input, encoding: 'utf8' })
  if (done.status !== 0) throw new Stop(done.stderr.trim() || done.stdout.trim())
  return done.stdout.trim()
}
