import type { AttackEnvironment } from './attack-environment.ts'

/** `true`: the product withstood the attack. A string: describes what happened instead. */
export type Verdict = true | string

export interface Breach {
  readonly attack: string
  readonly input: string
  readonly outcome: string
}

export interface AttackClass {
  readonly name: string
  readonly guarantee: string
  run(attempts: Attempts, environment: AttackEnvironment): Promise<void>
}

const MAX_INPUT_LENGTH = 200
const formatValue = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)) ?? 'undefined'

export class Attempts {
  readonly breaches: Breach[] = []
  #attemptCount = 0

  get tried(): number {
    return this.#attemptCount
  }

  get heldCount(): number {
    return this.tried - this.breaches.length
  }

  /** Runs one attack. An exception counts as a breach. */
  async try(attack: string, input: unknown, run: () => Promise<Verdict>): Promise<void> {
    this.#attemptCount++
    const verdict = await run().catch((error: unknown) => `the attack threw ${String(error)}`)
    if (verdict === true) return
    this.breaches.push({ attack, input: formatValue(input).slice(0, MAX_INPUT_LENGTH), outcome: verdict })
  }

  async tryEach<Input>(
    attack: string,
    inputs: readonly Input[],
    run: (input: Input) => Promise<Verdict>,
  ): Promise<void> {
    for (const input of inputs) await this.try(attack, input, () => run(input))
  }
}

export function expectEqual(actual: unknown, expected: unknown): Verdict {
  const [actualText, expectedText] = [formatValue(actual), formatValue(expected)]
  return (
    actualText === expectedText ||
    `expected ${expectedText.slice(0, MAX_INPUT_LENGTH)}, got ${actualText.slice(0, MAX_INPUT_LENGTH)}`
  )
}

export async function expectStatus(answer: Response, ...expected: readonly number[]): Promise<Verdict> {
  const body = await answer.text()
  return (
    expected.includes(answer.status) || `expected ${expected.join(' or ')}, got ${answer.status} ${body.slice(0, 120)}`
  )
}

/**
 * Throws unless `verdict` is `true`. A control proves that the setup of an attack works. With a broken setup, a failed
 * attack would prove nothing.
 */
export function requireControl(control: string, verdict: Verdict): void {
  if (verdict !== true) throw new Error(`The control failed: ${control}: ${verdict}`)
}

export const findFirstFailure = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.find((verdict) => verdict !== true) ?? true
