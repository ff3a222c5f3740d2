/**
 * What commands and entry points may import of the program around the open data file, which is in `src/app/`
 * (docs/architecture.md).
 */
export type { Access } from './access/access.ts';
export type { PendingAccountSummary } from './access/pending-accounts.ts';
export { App, type AppOptions, openApp } from './app/app.ts';
export {
  type ClusterAccess,
  type ClusterAddressParts,
  type ClusterFacts,
  checkObjects,
  moveClusterObjects,
  type ObjectFacts,
  objectsOpener,
  openCluster,
  openClusterWith,
  openNode,
  openNodeAway,
  readCluster,
  readClusterState,
  readKeptNode,
  readServedPublication,
  removeNodes,
} from './app/cluster.ts';
export { isBaseMissing, isClusterAway, isSlotDamaged } from './app/cluster-away.ts';
export { backUpCluster, type ClusterBackup, clusterBackupFolder } from './app/cluster-backup.ts';
export { adoptClusterSecret, changeForCommand, fetchForReading } from './app/cluster-catalogue.ts';
export { type ClusterInit, initCluster } from './app/cluster-init.ts';
export type { ClusterNode, NodeDescription, NodeOptions, Slot } from './app/cluster-node.ts';
export type { DevLimits } from './app/dev-account.ts';
export type { ExportReport } from './app/exports.ts';
export {
  clockFor,
  describeApi,
  type FetchConfig,
  loadFetch,
  loadSourceConfig,
  makeScratchFolder,
  programVersion,
  restore,
  suggestPlaces,
} from './app/program.ts';
export { refusalOf } from './cluster/publication/refusals.ts';
export type { FieldState, StatementSummary } from './contract/record-details.ts';
export type {
  RecordSummary,
  ReviewCounts,
  ReviewItem,
  ReviewPage,
  ReviewSide,
} from './contract/review-items.ts';
export type {
  ClosedVenueNotice,
  Contribution,
  HeldList,
  HeldRecord,
  ListedSource,
  PurgeSummary,
  RulesPreview,
  RulesSummary,
  SourceDetails,
  SourcePreview,
  SourceRunSummary,
  SourceSummary,
} from './contract/source-summaries.ts';
export type { ExportManifest } from './exports/manifest.ts';
export { type ExportFormat, exportFormats } from './exports/sinks.ts';
export { findIdentityKey, identityKeys, identityName } from './identity/fields.ts';
export type { IdentitySetting } from './identity/identity.ts';
export { readIdentityConfig, readLogoFile } from './identity/identity.ts';
export type { CorrectionResult, MergeReport, NeverMergeReport } from './ingest/corrections/corrections.ts';
export type {
  ComparedPair,
  Duplicate,
  ExplainedEdit,
  Explanation,
  OmittedCandidates,
} from './ingest/corrections/explain.ts';
export type { AddedRecord } from './ingest/edits/add-record.ts';
export type { EditedField } from './ingest/edits/edit-writer.ts';
export type { AddReport, EditableRecord, EditReport } from './ingest/edits/edits.ts';
export type { HistoryEntry } from './ingest/edits/history.ts';
export { type FieldChange, parseChange } from './ingest/edits/parse-change.ts';
export type { UndoReport } from './ingest/edits/undo.ts';
export type { ImportReport } from './ingest/import/import-feed.ts';
export type { ImportFilesReport } from './ingest/import/import-files.ts';
export type { MatchPreview } from './ingest/match-preview.ts';
export type { ForgetReport, PurgeReport, RemovalReport, RemovedSummary } from './ingest/removals/reports.ts';
export type { DecisionReport, ReviewFilter, Verdict } from './ingest/review/review.ts';
export type { RuleChanges } from './ingest/rules/rule-changes.ts';
export type { HeldDecision, HeldSelection } from './ingest/schedule/held-sources.ts';
export type { Attempt, RecognizedSource } from './ingest/schedule/recognize-address.ts';
export type { ChangeEffect, SourceChanges } from './ingest/schedule/source-editor.ts';
export type { SyncOptions, SyncReport } from './ingest/schedule/source-registry.ts';
export { fileChunkBytes } from './sources/common/input-items.ts';
export type { AuditEntry } from './store/audit-log.ts';
export { describeReadError, isDiskFull, OutdatedSchema, whyUnwritable } from './store/database.ts';
export type { BackUpOptions, FolderBackup, SkippedBackup } from './store/file/backup-folder.ts';
export type { BackupReport, BackupSummary } from './store/file/backup-report.ts';
export type { BackupRun, BackupSchedule, BackupState } from './store/file/backup-runs.ts';
export type { ExportSchedule, ExportState } from './store/file/export-runs.ts';
export type { FileCheck, FileFacts } from './store/file/maintenance.ts';
export { sqliteVersion } from './store/file/maintenance.ts';
export { type FileMonitor, type FileState, healthyFile, problemForState } from './store/file/monitor.ts';
export { replaceablePath } from './store/file/replaced-file.ts';
export type { RunningService } from './store/file/service-registry.ts';
export { findServicesUsing } from './store/file/upgrade.ts';
export { lostFileMessage } from './store/file/writer-log.ts';
export type { ChangeWithName } from './store/named-changes.ts';
