import { useRef, useState } from 'react'

export interface ActionFailure {
  readonly text: string
  readonly inPlace: boolean
}

export interface ActionRunner {
  isBusy: boolean
  failure: ActionFailure | null
  /** Runs the action. Returns true on success, and false after a failure or if another action is running. */
  run: (action: () => Promise<ActionFailure | null>) => Promise<boolean>
}

/** Hook that runs one action at a time: a second press while the action runs does nothing. */
export function useAction(): ActionRunner {
  const isRunning = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<ActionFailure | null>(null)
  async function run(action: () => Promise<ActionFailure | null>): Promise<boolean> {
    if (isRunning.current) return false
    isRunning.current = true
    setIsBusy(true)
    const failed = await action()
    isRunning.current = false
    setIsBusy(false)
    setFailure(failed)
    return failed === null
  }
  return { isBusy, failure, run }
}
