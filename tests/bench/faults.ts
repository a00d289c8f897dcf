import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAttacks } from './attacks/run.ts'
import type { FaultResult } from './fault-result.ts'
import { sendMalformed } from './malformed.ts'
import { startSystem } from './system.ts'
import { systemKillRounds } from './system-kills.ts'

/** Promises covered by test files. Each test is one case unless it reports more (tests/support/cases.ts). */
const TESTED: readonly { readonly promise: string; readonly files: readonly string[] }[] = [
  {
    promise: 'refreshes and refused calls at once: one token call, each request repeated once',
    files: ['tests/edge/auth/concurrent-rejections.test.ts', 'tests/edge/auth/token-refresh.test.ts'],
  },
  { promise: 'another site sends for a visitor: refused', files: ['tests/edge/security/csrf.test.ts'] },
  {
    promise: 'bodies and answers without end: read to their limit only, nobody waits for them',
    files: ['tests/edge/body-limits.test.ts', 'tests/edge/auth/issuer-body-limits.test.ts'],
  },
  {
    promise: 'messages of a socket that floods: it is closed, the neighbours stay',
    files: ['tests/provider/platform/sockets/socket-limits.test.ts'],
  },
  {
    promise: 'two homes with equal addresses, names and times: nothing of one reaches the other',
    files: ['tests/provider/homes/resource-ownership.test.ts', 'tests/provider/homes/home-isolation.test.ts'],
  },
  {
    promise: 'a full disk: recording stops and the program does not; recording resumes once there is space',
    files: [
      'tests/bridge/recording/full-disk.test.ts',
      'tests/scripts/lib/log-file.test.ts',
      'tests/scripts/lib/run-file.test.ts',
    ],
  },
  {
    promise: 'a part that is stopped (SIGSTOP) or spins: replaced; a busy one: left alone',
    files: ['tests/scripts/lib/part.test.ts'],
  },
]

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly meta?: { readonly cases?: number } }[]
  }[]
}

/**
 * Checks every promise; kills processes in `rounds` rounds. Takes about 20 minutes for 100 rounds, plus up to 8 minutes
 * for the attacks.
 */
export async function tryPromises(root: string, rounds: number): Promise<FaultResult[]> {
  const data = mkdtempSync(join(tmpdir(), 'porchlight-faults-'))
  try {
    const tested = runTests(root, join(data, 'report.json'))
    const malformed = await tryMalformed(root, join(data, 'run'))
    const attacked = await runAttacks(root)
    // A round mostly waits, so two systems share the rounds and run in parallel.
    const halves = [Math.ceil(rounds / 2), Math.floor(rounds / 2)].filter((half) => half > 0)
    const kills = await Promise.all(halves.map(systemKillRounds))
    const killed = (some: typeof kills) => some.reduce((sum, half) => sum + half.rounds, 0)
    const held = kills.filter(({ holds }) => holds)
    const promise = 'kill -9 of any of the four parts while it records: nothing lost, nothing twice, nobody signed out'
    return [
      ...tested,
      malformed,
      ...attacked,
      { promise, tried: killed(kills), held: killed(held), note: kills.map(({ sentence }) => sentence).join('; ') },
    ]
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

async function tryMalformed(root: string, data: string): Promise<FaultResult> {
  const system = await startSystem(root, data, [])
  try {
    return await sendMalformed(system)
  } finally {
    await system.stop()
  }
}

function runTests(root: string, report: string): FaultResult[] {
  const there = (file: string) => existsSync(join(root, file))
  const files = TESTED.flatMap((entry) => entry.files).filter(there)
  const args = ['run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  spawnSync(join(root, 'node_modules/.bin/vitest'), args, { cwd: root, stdio: ['ignore', 2, 2] })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return TESTED.map(({ promise, files: own }) => {
    const tests = testResults
      .filter(({ name }) => own.some((file) => name.endsWith(file)))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed')
    const count = (some: typeof tests) => some.reduce((sum, { meta }) => sum + (meta?.cases ?? 1), 0)
    const held = count(tests.filter(({ status }) => status === 'passed'))
    return { promise, tried: count(tests), held, note: own.filter(there).join(', ') }
  })
}

export function promisesTable(promises: readonly FaultResult[]): string {
  const rows = promises.map(
    ({ promise, tried: attemptCount, held, note }) => `| ${promise} | ${attemptCount} | ${held} | ${note} |`,
  )
  return ['| promise | tried | held | by |', '|---|---|---|---|', ...rows].join('\n')
}
