import { useEffect, useRef, useState, type FormEvent } from 'react'
import {
  GIGABYTE,
  STORAGE_LIMIT_MAX_BYTES,
  type CameraStorage,
  type StorageLimits,
} from '../../../../contract/cameras/storage-calls.ts'
import { formatDayCount } from '../../../domain/copy/counts.ts'
import { deletionText, limitError } from '../../../domain/copy/storage.ts'
import { $hasUnsavedChanges } from '../../../stores/live/camera-dialog.ts'
import { previewStorageLimits, saveStorageLimits } from '../../../stores/live/camera-storage.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { Field } from '../../../ui/Field.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'

interface StorageFormProps {
  storage: CameraStorage
  close: (isSaved: boolean) => void
}

/** Form for the limits of a camera. Asks before it saves limits that delete clips. */
export function StorageForm({ storage, close }: StorageFormProps) {
  const { device_id, plan_days } = storage
  const [typed, setTyped] = useState(() => toTyped(storage))
  const [isChecked, setChecked] = useState(false)
  /** Text of the question before limits that delete clips are saved; '' for no question. */
  const [question, setQuestion] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const { isBusy, failure, run } = useAction()
  const limits = toLimits(typed)
  const hasChanges = limits.max_bytes !== storage.max_bytes || limits.max_days !== storage.max_days
  const errors = {
    gigabytes: limitError(typed.gigabytes, STORAGE_LIMIT_MAX_BYTES / GIGABYTE, 'GB', plan_days),
    days: limitError(typed.days, plan_days, 'days', plan_days),
  }
  useEffect(() => {
    $hasUnsavedChanges.set(hasChanges)
    return () => $hasUnsavedChanges.set(false)
  }, [hasChanges])

  async function save() {
    const failed = await saveStorageLimits(device_id, limits)
    if (failed) return failed
    showToast('success', 'Storage limits saved')
    close(true)
    return null
  }
  async function checkAndSave() {
    const preview = await previewStorageLimits(device_id, limits)
    if (!preview.ok) return preview
    if (preview.data.events === 0) return save()
    setQuestion(deletionText(preview.data, Date.now()))
    return null
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    const invalid = errors.gigabytes ? 'gigabytes' : errors.days ? 'days' : null
    if (invalid) return form.current?.querySelector<HTMLInputElement>(`[name="${invalid}"]`)?.focus()
    if (hasChanges) void run(checkAndSave)
  }
  const bind = (name: keyof TypedLimits) => ({
    name,
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    value: typed[name],
    error: isChecked || typed[name].length > 2 ? errors[name] : '',
    onBlur: () => setChecked(true),
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setQuestion('')
      setTyped({ ...typed, [name]: target.value })
    },
  })
  return (
    <form ref={form} className="settings-form" noValidate onSubmit={onSubmit} aria-label="Storage limits">
      <Field
        label="Keep at most (GB)"
        hint="Leave empty to share the available space with your other cameras."
        {...bind('gigabytes')}
      />
      <Field
        label="Keep at most (days)"
        hint={`Leave empty to keep the ${formatDayCount(plan_days)} of the plan.`}
        {...bind('days')}
      />
      <InlineError failure={failure} />
      {question ? (
        <ConfirmDeletion
          text={question}
          isBusy={isBusy}
          onKeep={() => setQuestion('')}
          onDelete={() => void run(save)}
        />
      ) : (
        <footer>
          <small>The newest clip always stays. The oldest clips are deleted first.</small>
          <button type="button" className="btn btn-outline" onClick={() => close(false)}>
            Cancel
          </button>
          <button type="submit" className="btn btn-primary" disabled={!hasChanges} aria-disabled={isBusy}>
            {isBusy ? 'Saving…' : 'Save limits'}
          </button>
        </footer>
      )}
    </form>
  )
}

interface ConfirmDeletionProps {
  text: string
  isBusy: boolean
  onKeep: () => void
  onDelete: () => void
}

function ConfirmDeletion({ text, isBusy, onKeep, onDelete }: ConfirmDeletionProps) {
  return (
    <div className="remove-question" role="alertdialog" aria-label="Delete clips" aria-describedby="storage-deletion">
      <p id="storage-deletion">{text}</p>
      <span className="pair">
        <button type="button" className="btn btn-sm btn-outline" autoFocus onClick={onKeep}>
          Keep clips
        </button>
        <button type="button" className="btn btn-sm btn-danger" aria-disabled={isBusy} onClick={onDelete}>
          {isBusy ? 'Saving…' : 'Delete and save'}
        </button>
      </span>
    </div>
  )
}

interface TypedLimits {
  readonly gigabytes: string
  readonly days: string
}

const toTyped = ({ max_bytes, max_days }: StorageLimits): TypedLimits => ({
  gigabytes: max_bytes === null ? '' : String(max_bytes / GIGABYTE),
  days: max_days === null ? '' : String(max_days),
})
const toLimits = ({ gigabytes, days }: TypedLimits): StorageLimits => ({
  max_bytes: gigabytes.trim() === '' ? null : Number(gigabytes) * GIGABYTE,
  max_days: days.trim() === '' ? null : Number(days),
})
