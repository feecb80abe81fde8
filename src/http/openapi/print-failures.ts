import { AppError, type AppErrorCode } from '../../core/app-error.ts';
import type { ApiDefinition } from '../routes/api-definition.ts';
import { codeTexts, reasonTexts } from '../routes/error-texts.ts';
import type { ReplyFormat } from '../routes/reply-format.ts';
import type { Route } from '../routes/route.ts';
import { errorsOf, type RouteErrors } from '../routes/route-errors.ts';
import type { OperationExamples } from './examples.ts';
import { headersFor } from './headers.ts';
import { replyExamples } from './print-examples.ts';
import { anyOfSchemas, type JsonObject, type SchemaPrinter } from './print-schemas.ts';

/** Prints the error replies of one document. */
export interface FailurePrinter {
  /** The error replies of a route, by status. */
  print(route: Route, examples: OperationExamples): JsonObject;
  /** The replies that routes have in common, by name. */
  components(): JsonObject;
}

/** Names of the components. */
const phrases: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  428: 'PreconditionRequired',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

/** An error in one reply format. */
interface Failure {
  readonly code: AppErrorCode;
  readonly format: ReplyFormat;
  readonly status: number;
  /** The name of the error in the reply. */
  readonly name: string;
}

/** Creates a printer. Error replies that several routes have are components. */
export function createFailurePrinter(api: ApiDefinition, schemas: SchemaPrinter): FailurePrinter {
  const components = new Map<string, { readonly name: string; readonly printed: JsonObject }>();
  const failuresByCode = new Map<AppErrorCode, readonly Failure[]>();

  function failuresOf(code: AppErrorCode): readonly Failure[] {
    const known = failuresByCode.get(code);
    if (known) return known;
    const failures = api.formats.map((format) => {
      const { status, body } = format.fail(new AppError(code, ''));
      return { code, format, status, name: (body as { error: { code: string } }).error.code };
    });
    failuresByCode.set(code, failures);
    return failures;
  }

  function printFailures(status: number, failures: readonly Failure[], errors: RouteErrors): JsonObject {
    const formats = api.formats.filter((format) => failures.some((one) => one.format === format));
    return {
      description: describe(failures, errors),
      headers: headersFor(api, status),
      content: {
        'application/json': {
          schema: anyOfSchemas(formats.map(({ failSchema }) => schemas.reply(failSchema))),
        },
      },
    };
  }

  /** Returns the reply, or a reference to the component that is equal to it. */
  function share(status: number, printed: JsonObject, route: Route): JsonObject {
    const key = `${status} ${printed.description}`;
    const component = components.get(key) ?? { name: newName(status, route), printed };
    components.set(key, component);
    return { $ref: `#/components/responses/${component.name}` };
  }

  /** Returns a name that no component has: that of the status, else also what distinguishes the route. */
  function newName(status: number, { access, method, byPin }: Route): string {
    const phrase = phrases[status] ?? `Status${status}`;
    const isWrite = method === 'get' ? '' : 'Write';
    const accessName = access.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase());
    const taken = new Set([...components.values()].map(({ name }) => name));
    const names = [phrase, phrase + isWrite, phrase + accessName, phrase + accessName + isWrite];
    const longest = `${phrase}${accessName}${isWrite}${byPin ? 'ByPin' : 'WithoutPin'}`;
    const numbered = Array.from({ length: 9 }, (_, index) => `${longest}${index + 2}`);
    const free = [...names, longest, `${longest}NotInDemo`, ...numbered].find((name) => !taken.has(name));
    if (free === undefined) throw new Error(`No name is left for ${longest}.`);
    return free;
  }

  return {
    print(route, examples) {
      const errors = errorsOf(route, api);
      const byStatus = new Map<number, Failure[]>();
      for (const failure of [...errors.keys()].flatMap(failuresOf))
        byStatus.set(failure.status, [...(byStatus.get(failure.status) ?? []), failure]);
      const replies = [...byStatus]
        .sort(([a], [b]) => a - b)
        .map(([status, failures]) => {
          const printed = printFailures(status, failures, errors);
          const shown = replyExamples(examples, status);
          const isOwn = failures.some(({ code }) => route.errors?.[code] !== undefined);
          return [
            status,
            isOwn || 'examples' in shown ? withExamples(printed, shown) : share(status, printed, route),
          ];
        });
      return Object.fromEntries(replies);
    },
    components: () =>
      Object.fromEntries(
        [...components.values()]
          .map(({ name, printed }) => [name, printed] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
  };
}

function withExamples(printed: JsonObject, examples: JsonObject): JsonObject {
  const content = printed.content as { readonly 'application/json': JsonObject };
  return { ...printed, content: { 'application/json': { ...content['application/json'], ...examples } } };
}

/** When the error comes: the text of each code, and the reasons, if the reply names them. */
function describe(failures: readonly Failure[], errors: RouteErrors): string {
  const codes = [...new Set(failures.map(({ code }) => code))];
  const texts = codes.map((code) => {
    const names = [...new Set(failures.filter((one) => one.code === code).map(({ name }) => `\`${name}\``))];
    return `${names.join(' or ')}: ${codeTexts[code]}`;
  });
  const reasons = failures.some(({ format }) => format.hasReasons)
    ? [...new Set(codes.flatMap((code) => [...errors.get(code)!]))]
    : [];
  return [
    texts.join('\n\n'),
    ...(reasons.length === 0 ? [] : ['', ...reasons.map((name) => `- \`${name}\`: ${reasonTexts[name]}`)]),
  ].join('\n');
}
