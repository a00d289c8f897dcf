import type { MotionTrial } from '../../contract/bridge.ts'

/** How long a bridge may take to go through an hour; one of an older version never answers. */
const ANSWER_MS = 8000

export type TrialAnswer = ({ state: 'tried' } & MotionTrial) | { state: 'bridge_off' | 'no_answer' }

/** Questions to a bridge whose answers come as messages of their own. */
export class Trials {
  private readonly waiting = new Map<string, (trial: MotionTrial) => void>()

  /** `send` puts the question with this id to the bridge, false: it is away. */
  async ask(send: (trialId: string) => Promise<boolean>): Promise<TrialAnswer> {
    const id = crypto.randomUUID()
    let timer: ReturnType<typeof setTimeout> | undefined
    const answer = new Promise<TrialAnswer>((resolve) => {
      this.waiting.set(id, (trial) => resolve({ state: 'tried', ...trial }))
      timer = setTimeout(() => resolve({ state: 'no_answer' }), ANSWER_MS)
    })
    try {
      return (await send(id)) ? await answer : { state: 'bridge_off' }
    } finally {
      clearTimeout(timer)
      this.waiting.delete(id)
    }
  }

  /** One that nobody waits for is of no use. */
  answered(trialId: string, trial: MotionTrial): void {
    this.waiting.get(trialId)?.(trial)
  }
}
