import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { StartOptions } from './args.ts'
import { getScriptFile } from './package-layout.ts'
import { StopError } from './stop.ts'

/**
 * Runs bridge commands that add and remove the RTSP cameras that `options` names. Call this function before the bridge
 * starts. Throws a `StopError` if a command fails or the camera file is unreadable.
 */
export function changeCameras(
  root: string,
  data: string,
  options: StartOptions,
  printLine: (line: string) => void,
): void {
  const listed = options.cameraFile === null ? '' : readCameraList(options.cameraFile)
  const lines = [...options.cameras, listed].join('\n')
  // Addresses contain passwords, and other users can read process arguments, so the bridge reads the addresses from
  // standard input.
  if (lines !== '') runBridgeCommand(root, ['add-cameras', '--data', data], lines, printLine)
  for (const name of options.remove) runBridgeCommand(root, ['remove-camera', name, '--data', data], '', printLine)
}

function readCameraList(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new StopError(`The camera list ${file} can't be read: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Checks the files in the data folder that the bridge needs to start. Throws a `StopError` with the bridge's message,
 * which names the damaged file.
 */
export function checkBridgeFiles(root: string, data: string): void {
  runNode(root, [getScriptFile('bridge/check-files'), data], '')
}

function runBridgeCommand(
  root: string,
  args: readonly string[],
  input: string,
  printLine: (line: string) => void,
): void {
  const output = runNode(root, [getScriptFile('bridge/main'), ...args], input)
  if (output) printLine(output)
}

function runNode(root: string, args: readonly string[], input: string): string {
  const done = spawnSync(process.execPath, args, { cwd: root, input, encoding: 'utf8' })
  if (done.status !== 0) throw new StopError(done.stderr.trim() || done.stdout.trim())
  return done.stdout.trim()
}
