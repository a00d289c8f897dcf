/**
 * `node tests/bench/attacks/run.ts [class ...]`: runs the named attack classes against a new Porchlight instance. Runs
 * all classes if none is named. Exits with 1 if an attack succeeded, or if no class has one of the given names.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FaultResult } from '../fault-result.ts'
import { type AttackClass, Attempts } from './attempts.ts'
import { ATTACK_CLASSES } from './classes.ts'
import { type AttackEnvironment, openAttackEnvironment } from './attack-environment.ts'

export async function runAttacks(
  root: string,
  classes: readonly AttackClass[] = ATTACK_CLASSES,
): Promise<FaultResult[]> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-attacks-'))
  const environment = await openAttackEnvironment(root, dataFolder)
  const rows: FaultResult[] = []
  try {
    for (const attackClass of classes) rows.push(await runClass(attackClass, environment))
  } finally {
    await environment.system.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
  return rows
}

async function runClass({ name, guarantee, run }: AttackClass, environment: AttackEnvironment): Promise<FaultResult> {
  const [attempts, startMs] = [new Attempts(), performance.now()]
  try {
    await run(attempts, environment)
  } catch (error) {
    await attempts.try('running the class', name, () => Promise.reject(error as Error))
  }
  const { tried: attemptCount, heldCount, breaches } = attempts
  const seconds = Math.round((performance.now() - startMs) / 1000)
  console.error(`${name}: held ${heldCount} of ${attemptCount} (${seconds} s)`)
  for (const { attack, input, outcome } of breaches) console.error(`  NOT HELD: ${attack}: ${input}: ${outcome}`)
  return { guarantee: `${name}: ${guarantee}`, attemptCount, heldCount: heldCount, note: 'tests/bench/attacks' }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2)
  const selectedClasses = ATTACK_CLASSES.filter(({ name }) => names.length === 0 || names.includes(name))
  const rows = await runAttacks(fileURLToPath(new URL('../../../', import.meta.url)), selectedClasses)
  process.exit(
    rows.length > 0 && rows.every(({ attemptCount, heldCount: heldCount }) => attemptCount === heldCount) ? 0 : 1,
  )
}
