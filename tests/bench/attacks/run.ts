/**
 * `node tests/bench/attacks/run.ts [class ...]`: runs these attack classes, or all, against its own Porchlight
 * instance. Exits with 1 if an attack succeeded.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FaultResult } from '../fault-result.ts'
import { type AttackClass, Attempts } from './attempts.ts'
import { ATTACK_CLASSES } from './classes.ts'
import { type Ground, openGround } from './ground.ts'

export async function runAttacks(
  root: string,
  classes: readonly AttackClass[] = ATTACK_CLASSES,
): Promise<FaultResult[]> {
  const data = mkdtempSync(join(tmpdir(), 'porchlight-attacks-'))
  const ground = await openGround(root, data)
  const rows: FaultResult[] = []
  try {
    for (const attackClass of classes) rows.push(await runClass(attackClass, ground))
  } finally {
    await ground.system.stop()
    rmSync(data, { recursive: true, force: true })
  }
  return rows
}

async function runClass({ name, promise, run }: AttackClass, ground: Ground): Promise<FaultResult> {
  const [attempts, began] = [new Attempts(), performance.now()]
  try {
    await run(attempts, ground)
  } catch (error) {
    await attempts.try('the class itself', name, () => Promise.reject(error as Error))
  }
  const { tried: attemptCount, held, breaches } = attempts
  const seconds = Math.round((performance.now() - began) / 1000)
  console.error(`${name}: held ${held} of ${attemptCount} (${seconds} s)`)
  for (const { attack, input, happened: outcome } of breaches)
    console.error(`  NOT HELD: ${attack}: ${input}: ${outcome}`)
  return { promise: `${name}: ${promise}`, tried: attemptCount, held, note: 'tests/bench/attacks' }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2)
  const chosen = ATTACK_CLASSES.filter(({ name }) => names.length === 0 || names.includes(name))
  const rows = await runAttacks(fileURLToPath(new URL('../../../', import.meta.url)), chosen)
  process.exit(rows.length > 0 && rows.every(({ tried: attemptCount, held }) => attemptCount === held) ? 0 : 1)
}
