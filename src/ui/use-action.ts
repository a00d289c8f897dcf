import { useRef, useState } from 'react'

/** A failure as people are told of it: in the place that asked, or elsewhere. */
export interface ActionFailure {
  readonly text: string
  readonly inPlace: boolean
}

export interface Acting {
  isBusy: boolean
  /** What went wrong the last time, null when nothing did. */
  failure: ActionFailure | null
  /** Answers whether it is done. */
  run: (act: () => Promise<ActionFailure | null>) => Promise<boolean>
}

/** One action at a time: a second press while it runs does nothing. */
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
