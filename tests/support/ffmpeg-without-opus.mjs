#!/usr/bin/env node
// Runs ffmpeg as if it were built without the Opus encoder.
import { spawn } from 'node:child_process'

const args = process.argv.slice(2).map((arg) => (arg === 'libopus' ? 'missing-libopus' : arg))
const child = spawn('ffmpeg', args, { stdio: ['inherit', 'inherit', 'inherit', 'inherit'] })
child.on('exit', (code) => process.exit(code ?? 1))
process.on('SIGTERM', () => child.kill())
