import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAttacks } from './attacks/run.ts'
import type { FaultResult } from './fault-result.ts'
import { sendMalformedCalls } from './malformed.ts'
import { startSystem } from './system.ts'
import { runSystemCrashTest } from './system-kills.ts'

/**
 * Guarantees that test files check. Each test counts as one case, unless it reports its own number of cases
 * (tests/support/cases.ts).
 */
const TESTED_GUARANTEES: readonly { readonly guarantee: string; readonly files: readonly string[] }[] = [
  {
    guarantee: 'concurrent refreshes and rejected calls: one token request, and each call is retried once',
    files: ['tests/edge/auth/concurrent-rejections.test.ts', 'tests/edge/auth/token-refresh.test.ts'],
  },
  {
    guarantee: 'cross-site requests with the cookies of a user: rejected',
    files: ['tests/edge/security/csrf.test.ts'],
  },
  {
    guarantee: 'endless request and response bodies: read up to their limit, and block no other request',
    files: ['tests/edge/body-limits.test.ts', 'tests/edge/auth/issuer-body-limits.test.ts'],
  },
  {
    guarantee: 'a socket that sends too many messages: closed, while other sockets stay open',
    files: ['tests/provider/platform/sockets/socket-limits.test.ts'],
  },
  {
    guarantee: 'two homes with equal addresses, names and times: no data of one home reaches the other',
    files: ['tests/provider/homes/resource-ownership.test.ts', 'tests/provider/homes/home-isolation.test.ts'],
  },
  {
    guarantee: 'a full disk: recording stops, the bridge keeps running, and recording resumes once there is space',
    files: [
      'tests/bridge/recording/full-disk.test.ts',
      'tests/scripts/lib/log-file.test.ts',
      'tests/scripts/lib/run-file.test.ts',
    ],
  },
  {
    guarantee: 'a process that is stopped (SIGSTOP) or hangs: restarted; a busy process: left running',
    files: ['tests/scripts/lib/supervised-process.test.ts'],
  },
]

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly meta?: { readonly cases?: number } }[]
  }[]
}

/**
 * Checks every fault guarantee and kills processes in `rounds` rounds. 100 rounds take about 20 minutes, and the attacks
 * up to 8 minutes.
 */
export async function checkGuarantees(root: string, rounds: number): Promise<FaultResult[]> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-faults-'))
  try {
    const tested = runTests(root, join(dataFolder, 'report.json'))
    const malformed = await tryMalformedRequests(root, join(dataFolder, 'run'))
    const attacked = await runAttacks(root)
    // A round mostly waits, so two systems run in parallel. Each system runs half of the rounds.
    const halves = [Math.ceil(rounds / 2), Math.floor(rounds / 2)].filter((half) => half > 0)
    const kills = await Promise.all(halves.map(runSystemCrashTest))
    const countRounds = (some: typeof kills) => some.reduce((sum, half) => sum + half.rounds, 0)
    const heldKills = kills.filter(({ holds }) => holds)
    const guarantee =
      'kill -9 of any of the four processes while recording: no event lost or duplicated, no session lost'
    return [
      ...tested,
      malformed,
      ...attacked,
      {
        guarantee,
        attemptCount: countRounds(kills),
        heldCount: countRounds(heldKills),
        note: kills.map(({ sentence }) => sentence).join('; '),
      },
    ]
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function tryMalformedRequests(root: string, dataFolder: string): Promise<FaultResult> {
  const system = await startSystem(root, dataFolder, [])
  try {
    return await sendMalformedCalls(system)
  } finally {
    await system.stop()
  }
}

function runTests(root: string, report: string): FaultResult[] {
  const fileExists = (file: string) => existsSync(join(root, file))
  const files = TESTED_GUARANTEES.flatMap((entry) => entry.files).filter(fileExists)
  const args = ['run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  spawnSync(join(root, 'node_modules/.bin/vitest'), args, { cwd: root, stdio: ['ignore', 2, 2] })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  return TESTED_GUARANTEES.map(({ guarantee, files: ownFiles }) => {
    const tests = testResults
      .filter(({ name }) => ownFiles.some((file) => name.endsWith(file)))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed')
    const count = (some: typeof tests) => some.reduce((sum, { meta }) => sum + (meta?.cases ?? 1), 0)
    const heldCount = count(tests.filter(({ status }) => status === 'passed'))
    return { guarantee, attemptCount: count(tests), heldCount, note: ownFiles.filter(fileExists).join(', ') }
  })
}

export function formatGuarantees(results: readonly FaultResult[]): string {
  const rows = results.map(
    ({ guarantee, attemptCount, heldCount, note }) => `| ${guarantee} | ${attemptCount} | ${heldCount} | ${note} |`,
  )
  return ['| guarantee | cases | held | source |', '|---|---|---|---|', ...rows].join('\n')
}
