// The bucket outlives its stack, because it contains the results. A new stack of the same name adopts it.

import type { CreateChangeSetCommandInput } from '@aws-sdk/client-cloudformation';
import { ListBucketsCommand, type S3Client } from '@aws-sdk/client-s3';
import { withAws } from '../awsErrors.ts';
import type { renderTemplate } from './template.ts';

/** What a change set applies, without the names of the stack and of the set. */
export type TemplateChange = Omit<CreateChangeSetCommandInput, 'StackName' | 'ChangeSetName'>;

/**
 * The buckets that stacks of this name have created in the region, newest first. They belong to no stack if the stack does not exist.
 * CloudFormation derives their names from the stack's.
 */
export async function keptBuckets(s3: S3Client, stackName: string, region: string): Promise<string[]> {
  const prefix = `${stackName.toLowerCase()}-renderbucket-`;
  const { Buckets = [] } = await withAws('Listing the buckets', () =>
    s3.send(new ListBucketsCommand({ Prefix: prefix, ...(region === '' ? {} : { BucketRegion: region }) })),
  );
  // Other S3 servers ignore the conditions.
  return Buckets.filter(({ Name = '', BucketRegion = region }) => Name.startsWith(prefix) && BucketRegion === region)
    .sort((a, b) => (b.CreationDate?.getTime() ?? 0) - (a.CreationDate?.getTime() ?? 0))
    .map(({ Name = '' }) => Name);
}

/** Creates the stack around an existing bucket. The template of an import may contain nothing else, and no outputs. */
export function bucketImport(template: ReturnType<typeof renderTemplate>, name: string): TemplateChange {
  const { AWSTemplateFormatVersion, Description, Resources } = template;
  const { RenderBucket } = Resources;
  return {
    ChangeSetType: 'IMPORT',
    TemplateBody: JSON.stringify({ AWSTemplateFormatVersion, Description, Resources: { RenderBucket } }),
    ResourcesToImport: [
      {
        ResourceType: RenderBucket.Type,
        LogicalResourceId: 'RenderBucket',
        ResourceIdentifier: { BucketName: name },
      },
    ],
  };
}
