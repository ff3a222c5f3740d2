/** The routes of the change feed and the exports: `/changes`, `/exports/{file}`, `/exports/{export}/{file}`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Polka } from 'polka';
import type { MirrorReader } from '../catalogue/mirror/change-walk.ts';
import type { ExportFolder } from '../exports/export-folder.ts';
import { FairScheduler } from '../http/fair-scheduler.ts';
import { sendProblem, toProblem } from '../http/problem-response.ts';
import { turnBudget } from '../http/turn-budget.ts';
import type { CatalogueReader } from '../store/reader.ts';
import { answerChanges } from './changes.ts';
import { answerExportFile } from './export-files.ts';
import { answerMetered, type MeterParts } from './metered.ts';

export type MirrorDependencies = MeterParts & {
  reader: CatalogueReader;
  mirror: MirrorReader;
  epoch: string;
  baseUrl: string;
  /** Whether bodies are compressed for clients that accept it. */
  compress: boolean;
  /** The folder of exports; null if the service makes none. */
  exports: ExportFolder | null;
};

/** Adds `/changes`, and the files of exports below `/exports`, to an app. Requests of one key take turns. */
export function mountMirror(app: Polka, deps: MirrorDependencies): void {
  const parts = { ...deps, turns: new FairScheduler() };
  app.all('/changes', (req, response) => {
    answerInTurn(req, response, () =>
      answerMetered(deps, 'changes', req, response, (queueKey) =>
        turnBudget.run(queueKey, () => answerChanges(parts, req, parametersOf(req))),
      ),
    );
  });
  for (const path of ['/exports/:file', '/exports/:export/:file']) {
    app.all(path, (req, response) => {
      const { export: exportName = null, file = '' } = req.params as Record<string, string>;
      answerInTurn(req, response, () =>
        answerMetered(deps, 'exports', req, response, () =>
          answerExportFile(deps, req, { exportName, file }),
        ),
      );
    });
  }
}

/** Answers a request when a turn has time: also refusals are many if a key opens many connections. */
function answerInTurn({ headers }: IncomingMessage, response: ServerResponse, answer: () => unknown): void {
  turnBudget
    .run(headers.authorization ?? '', () => void answer())
    .catch((failure) => sendProblem(response, toProblem(failure)));
}

function parametersOf({ url = '' }: IncomingMessage): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}
