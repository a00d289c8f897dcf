import { BackOff } from '../runtime/backoff.ts'
import { getErrorMessage } from '../runtime/log.ts'

interface LaneOptions {
  /** Names of what there is, oldest first. */
  readonly waiting: () => Promise<string[]>
  /** Answers why this one has to wait, when that is its own fault; throws when none can be done now. */
  readonly one: (name: string) => Promise<string | undefined>
  /** Hears why something waits. */
  readonly complain: (reason: string) => void
}

/** Does one thing with all that waits, oldest first, and tries again what failed. */
export class DeliveryWorker {
  private readonly options: LaneOptions
  private readonly backOff = new BackOff(1000, 30_000)
  private working = false
  private again = false
  private stopped = false
  private timer: NodeJS.Timeout | undefined

  constructor(options: LaneOptions) {
    this.options = options
  }

  /** There is something new, or reason to believe that it works now. */
  wake(): void {
    this.backOff.reset()
    this.start()
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  private start(): void {
    this.again = true
    if (!this.working) void this.work()
  }

  private async work(): Promise<void> {
    this.working = true
    clearTimeout(this.timer)
    try {
      while (this.again && !this.stopped) {
        this.again = false
        let reason: string | undefined
        for (const name of await this.options.waiting()) {
          if (this.stopped) return
          reason = (await this.options.one(name)) ?? reason
        }
        if (reason !== undefined) throw new Error(reason)
      }
      this.options.complain('')
    } catch (error) {
      this.options.complain(getErrorMessage(error))
      if (!this.stopped) this.timer = setTimeout(() => this.start(), this.backOff.next())
    } finally {
      this.working = false
    }
  }
}
