import { useRef, useState } from 'react'

export interface ActionFailure {
  readonly text: string
  readonly inPlace: boolean
}

export interface Acting {
  isBusy: boolean
  failure: ActionFailure | null
  /** Returns true if the action succeeded. */
  run: (act: () => Promise<ActionFailure | null>) => Promise<boolean>
}

/** Runs one action at a time: a second press while it runs does nothing. */
export function useAct(): Acting {
  const running = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<ActionFailure | null>(null)
  async function run(act: () => Promise<ActionFailure | null>): Promise<boolean> {
    if (running.current) return false
    running.current = true
    setIsBusy(true)
    const failed = await act()
    running.current = false
    setIsBusy(false)
    setFailure(failed)
    return failed === null
  }
  return { isBusy, failure, run }
}
