import { formatBytes, formatPercent } from '../../../domain/copy/counts.ts'
import { useStore } from '@nanostores/react'
import Download from 'lucide-react/icons/download'
import { useEffect, useRef } from 'react'
import { exportSummary, exportProgressText } from '../../../domain/copy/account-overview.ts'
import {
  $exportProgress,
  $exportSize,
  $exportStep,
  cancelExport,
  loadExportSize,
  pauseExport,
  type ExportProgress,
  exportNextArchive,
} from '../../../stores/account/data-export.ts'
import { $userRole } from '../../../stores/session/session.ts'
import { LoadError } from '../../../ui/LoadError.tsx'

/** Data export: contents and size, progress, and buttons to start, pause and resume. */
export function DataExportPanel() {
  const size = useStore($exportSize)
  useEffect(() => void loadExportSize(), [])
  return (
    <section aria-labelledby="take-title" aria-busy={size.state === 'loading'}>
      <h3 id="take-title">Your data</h3>
      {size.state === 'loading' && (
        <p className="text-small text-ink-2 mt-1" role="status">
          Checking the size of your data…
        </p>
      )}
      {size.state === 'failed' && (
        <LoadError
          title="We couldn’t check the size of your data"
          text={`${size.failure.text} Your data hasn’t changed.`}
          onRetry={() => void loadExportSize()}
        />
      )}
      {size.state === 'ready' && <ExportControls words={exportSummary(size)} />}
    </section>
  )
}

function ExportControls({ words }: { words: string }) {
  const progress = useStore($exportProgress)
  const runningExport = useStore($exportStep)
  const isGuest = useStore($userRole) === 'shared'
  if (runningExport) return <RunningExport {...runningExport} progress={progress} />
  if (progress) return <StoppedExport progress={progress} />
  if (words === '')
    return (
      <p className="text-small text-ink-2 mt-1">
        Nothing to download yet: you have no clips or invoices.{' '}
        {isGuest && 'Clips from cameras shared with you aren’t included.'}
      </p>
    )
  return (
    <>
      <p className="text-small text-ink-2 mt-1">{words}</p>
      <p className="mt-3">
        <StartButton text="Download everything" />
      </p>
    </>
  )
}

/**
 * Focuses the button and scrolls to it as soon as it is visible: overview.css hides this panel while a panel above it
 * loads. Gives up if the user has clicked on the overview or has focused another element. Returns a function that stops
 * waiting.
 */
function focusWhenVisible(button: HTMLElement): () => void {
  const overview = button.closest<HTMLElement>('.overview')
  const tryFocus = () => {
    button.focus({ preventScroll: true })
    if (document.activeElement !== button) return
    observer.disconnect()
    button.scrollIntoView({ block: 'center' })
  }
  const observer = new MutationObserver(() => {
    const isInUse = overview?.dataset['used'] !== undefined || document.activeElement !== document.body
    if (isInUse) observer.disconnect()
    else tryFocus()
  })
  if (overview)
    observer.observe(overview, { subtree: true, childList: true, attributeFilter: ['aria-busy', 'data-used'] })
  tryFocus()
  return () => observer.disconnect()
}

function StartButton({ text }: { text: string }) {
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const isRequested = new URLSearchParams(location.search).get('take') === '1'
    return isRequested && ref.current ? focusWhenVisible(ref.current) : undefined
  }, [])
  return (
    <button ref={ref} type="button" className="btn btn-soft btn-sm" onClick={() => void exportNextArchive()}>
      <Download size={18} aria-hidden="true" />
      {text}
    </button>
  )
}

function RunningExport({
  step,
  share,
  progress,
}: {
  step: 'preparing' | 'downloading'
  share: number
  progress: ExportProgress | null
}) {
  const label = step === 'preparing' ? 'Preparing your clips' : `Downloading file ${progress?.part ?? 1}`
  const size = progress?.made ? ` of ${formatBytes(progress.made.bytes)}` : ''
  return (
    <div className="take-running">
      <p className="text-small text-ink-2 mt-1" role="status">
        {exportProgressText(label, step === 'downloading' && share > 0)}
      </p>
      <progress value={share} max={1} aria-label={label} />
      <p className="text-small text-ink-2">
        {formatPercent(Math.floor(share * 100))}
        {size}
      </p>
      <button type="button" className="btn btn-outline btn-sm" onClick={pauseExport}>
        Pause
      </button>
    </div>
  )
}

function StoppedExport({ progress: { part, made } }: { progress: ExportProgress }) {
  const text = made
    ? `Stopped at ${formatPercent(Math.floor(made.share * 100))} of ${formatBytes(made.bytes)}. This browser keeps the downloaded part for a day.`
    : part > 1
      ? `${part - 1 === 1 ? 'The first file is' : `${part - 1} files are`} saved. The next one is ready.`
      : 'The download didn’t start.'
  return (
    <>
      <p className="text-small text-ink-2 mt-1">{text}</p>
      <p className="take-ways">
        <StartButton text={made ? 'Continue' : part > 1 ? `Download file ${part}` : 'Download everything'} />
        <button type="button" className="btn btn-plain btn-sm" onClick={() => void cancelExport()}>
          Start over
        </button>
      </p>
    </>
  )
}
